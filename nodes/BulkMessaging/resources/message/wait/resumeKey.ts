import { createHmac, timingSafeEqual } from 'crypto';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/**
 * A value in the resume URL that only the service gets. n8n signs the URL too, but before 2.14 it checks the signature only if
 * the node asks for it. The value is derived from the API key, so nothing secret is stored with the execution.
 */
export const resumeKeyOf = async (
	context: IExecuteFunctions | IWebhookFunctions,
	customMessageId: string,
): Promise<string> => {
	const { apiKey } = await context.getCredentials<{ apiKey?: string }>('bulkMessagingApi');
	const subject = JSON.stringify([context.getWorkflow().id, context.getNode().id, customMessageId]);
	return createHmac('sha256', `resume ${apiKey ?? ''}`)
		.update(subject)
		.digest('base64url');
};

/** Whether a callback presents the value that the service got for this message. */
export const isResumeKey = async (
	context: IWebhookFunctions,
	customMessageId: unknown,
	presented: unknown,
): Promise<boolean> => {
	if (typeof customMessageId !== 'string' || typeof presented !== 'string') return false;
	const expected = Buffer.from(await resumeKeyOf(context, customMessageId));
	const given = Buffer.from(presented);
	return given.length === expected.length && timingSafeEqual(given, expected);
};
