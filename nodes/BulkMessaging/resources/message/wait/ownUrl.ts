import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toCallbackUrl } from '../../../../../core/contract/callbackUrl';
import type { WaitingUse } from '../../../../../core/contract/waitingUrl';
import type { Run } from '../../../../../core/engine/operation';
import { connect } from '../../../../../core/transport/connection';
import { messageJournalOf } from '../delivery/journal';
import { readSignedUrl, type WaitingContext } from './resumeWebhook';

/** The URLs at which this n8n can be reached while an execution waits. */

const refuseToWait = (context: IExecuteFunctions, message: string, description: string) =>
	new NodeOperationError(context.getNode(), message, {
		description: `Nothing was sent. ${description}`,
	});

const isLocal = ({ hostname }: URL) => /^(?:localhost$|127\.|0\.0\.0\.0$|\[::1\]$)/.test(hostname);

/** The environment variable with n8n's own URL. */
const urlVariable = 'N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL)';

/** Without a signature, the callback with the outcome would be rejected. */
const requireSigned = (context: IExecuteFunctions, make: () => string) => {
	const signed = readSignedUrl(make);
	if (signed !== undefined) return signed;
	throw refuseToWait(
		context,
		"The service can't report the outcome to your n8n instance: it has no valid URL for callbacks",
		`Set ${urlVariable} to a complete URL that starts with https://. If it is one, update this package, or use 'Send' now and 'Get' later.`,
	);
};

/** Fails before anything is sent if the outcome could never be reported. */
export const checkWaiting = async ({ context, items }: Run<unknown>): Promise<void> => {
	if (items.length > 1) {
		throw refuseToWait(
			context,
			`'Send and Wait' works with one item at a time, but received ${items.length}`,
			'Add a Loop Over Items node with a batch size of 1 before it.',
		);
	}
	const { getSignedResumeUrl, setSignatureValidationRequired, isToolExecution } =
		context as Partial<WaitingContext>;
	// Such an agent doesn't wait for its tools: it would continue at once, and nobody could reply.
	if (isToolExecution?.call(context)) {
		throw refuseToWait(
			context,
			"'Send and Wait' doesn't work as a tool of this agent",
			"The agent runs its tools itself and can't pause for them. Use the latest version of the AI Agent node, or 'Send' instead.",
		);
	}
	if (getSignedResumeUrl === undefined) {
		throw refuseToWait(
			context,
			"'Send and Wait' needs n8n 1.107 or later",
			"Update n8n, or use 'Send' now and 'Get' later.",
		);
	}
	setSignatureValidationRequired?.call(context);
	const { url } = requireSigned(context, () => getSignedResumeUrl.call(context));
	const { baseUrl } = await connect(context, 'messaging');
	if (isLocal(url) && !isLocal(new URL(baseUrl))) {
		throw refuseToWait(
			context,
			"The service can't reach your n8n instance",
			`Its URL is ${url.origin}, which works only on its own machine. Set ${urlVariable} to a URL that the service can reach over the internet, or use 'Send' now and 'Get' later.`,
		);
	}
};

/** A URL of this execution. No error may show it: anyone who knows it can resume the execution. */
export const resumeUrlFor = (
	context: IExecuteFunctions,
	use: WaitingUse,
	waitId: string,
): string => {
	// The host name of the n8n instance may contain letters that must be encoded in a URL.
	const result = toCallbackUrl(context.getSignedResumeUrl({ [use]: waitId }));
	if (result.problem !== undefined) {
		throw refuseToWait(
			context,
			`The service can't reach your n8n instance: its URL ${result.problem}`,
			`Correct ${urlVariable}, or use 'Send' now and 'Get' later.`,
		);
	}
	const { url } = result;
	const { signature } = requireSigned(context, () => url);
	messageJournalOf(context).secrets.add(url).add(signature);
	return url;
};
