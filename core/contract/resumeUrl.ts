/**
 * What a URL of a waiting execution is for: the link in the message that a person opens, the report about a message without such a
 * link, or about one with it. Each is signed for itself, so that none can be used as another.
 */
export const resumeUses = ['ask', 'report', 'reportAsked'] as const;
export type ResumeUse = (typeof resumeUses)[number];

const hidden = '…';
const word = /[^\s"'<>]+/g;
const use = /(?:[?&;]|%3f|%26)(?:ask|report|reportAsked)(?:=|%3d)/i;
const signature = /(?:[?&;]|%3f|%26)signature(?:=|%3d)/i;

/** A signature has 64 digits, so no shorter text contains one. This runs for every text of every response. */
const shortest = 64;

/** A text without the queries of such URLs: anyone who reads one could reply, or report. */
export const withoutResumeQueries = (text: string): string => {
	if (text.length < shortest || !signature.test(text)) return text;
	return text.replace(word, (url) =>
		use.test(url) && signature.test(url) ? url.replace(/(?:\?|%3f).*/is, `?${hidden}`) : url,
	);
};

/** Whether a field contains such a URL. */
export const isReplyUrl = (value: unknown): boolean =>
	typeof value === 'string' && withoutResumeQueries(value) !== value;

/** Whether the service reports to this URL about a message with a link to reply. */
export const isReportAboutAsked = (callbackUrl: unknown): boolean =>
	typeof callbackUrl === 'string' && /[?&]reportAsked=/.test(callbackUrl);

/** Such a message without all of its links: the service may have shortened the one to reply, and so made it unrecognizable. */
export const withoutLinks = (text: string): string =>
	text.replace(word, (one) => (/:\/\/|\.\w+\//.test(one) ? hidden : one));
