import { timingSafeEqual } from 'crypto';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/** What waiting needs of n8n. Not every version has it. */
export interface WaitingContext {
	/** From 1.107 on. */
	getSignedResumeUrl(parameters?: Record<string, string>): string;
	/** From 1.107 to 2.13, n8n checks the signature only after this call. Later versions always check it. */
	setSignatureValidationRequired(): void;
}

/** Empty if n8n can't make one. An error would resume the execution. */
const makeSignature = (make: () => string): string => {
	try {
		return new URL(make()).searchParams.get('signature') ?? '';
	} catch {
		return '';
	}
};

/** The URL that the service reports to. Its signature is a secret of this n8n, for this execution, node and message. */
export const resumeUrlFor = (context: IExecuteFunctions, customMessageId: string) =>
	context.getSignedResumeUrl({ ext: customMessageId });

/**
 * Whether a callback came to the URL that the service got. We make the signature again and compare it, because not every n8n
 * checks it.
 */
export const isSigned = (
	context: IWebhookFunctions,
	{ ext, signature }: { ext?: unknown; signature?: unknown },
): boolean => {
	const { getSignedResumeUrl } = context as Partial<WaitingContext>;
	if (getSignedResumeUrl === undefined) return false;
	if (typeof ext !== 'string' || typeof signature !== 'string') return false;
	const expected = Buffer.from(makeSignature(() => getSignedResumeUrl.call(context, { ext })));
	const given = Buffer.from(signature);
	return (
		expected.length > 0 && given.length === expected.length && timingSafeEqual(given, expected)
	);
};
