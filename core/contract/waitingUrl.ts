/**
 * What a URL at which an execution waits is for, as the name of a parameter in its query: the link that a person opens to reply, a
 * report about a message without such a link, and one about a message with it. Anyone who reads such a URL could use it.
 */
export const waitingUses = ['ask', 'report', 'reportAsked'] as const;
export type WaitingUse = (typeof waitingUses)[number];

/** The same in a text, where a URL may be encoded. */
export const waitingUse = /(?:[?&;]|%3f|%26)(?:ask|report|reportAsked)(?:=|%3d)/i;

/** All links of the message that it reports about are as secret as the URL itself. */
export const reportAboutAsked: WaitingUse = 'reportAsked';
export const isAboutAsked = (url: string): boolean => /[?&]reportAsked=/.test(url);
