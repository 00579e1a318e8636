import { timingSafeEqual } from 'crypto';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/** What waiting needs of n8n. Not every version has it. */
export interface WaitingContext {
	/** From 1.107 on. */
	getSignedResumeUrl(parameters?: Record<string, string>): string;
	/** From 1.107 to 2.13, n8n checks the signature only after this call. Later versions always check it. */
	setSignatureValidationRequired(): void;
}

interface SignedUrl {
	url: URL;
	/** Not empty. */
	signature: string;
}

/** `undefined` if n8n can't make a valid URL with a signature. An error in a webhook would resume the execution. */
export const readSignedUrl = (make: () => string): SignedUrl | undefined => {
	try {
		const url = new URL(make());
		const signature = url.searchParams.get('signature');
		return signature ? { url, signature } : undefined;
	} catch {
		return undefined;
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
	const signed = readSignedUrl(() => getSignedResumeUrl.call(context, { ext }));
	if (signed === undefined) return false;
	const expected = Buffer.from(signed.signature);
	const given = Buffer.from(signature);
	return given.length === expected.length && timingSafeEqual(given, expected);
};
