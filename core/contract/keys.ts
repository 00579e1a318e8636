/** The types of API keys, by what each is for. A public reference lists them; the provider's interface only says that there are types. */
export const keyTypes = {
	messages: 'messages and dispatches of one traffic center',
	entities: 'sender names and templates',
	verification: 'phone verification',
	builder: "the verification widget on a website builder's site",
} as const;

/** What a call's key is for. The widget's depends on the site that it is on. */
export const neededKeys = {
	...keyTypes,
	widget: `${keyTypes.verification}, or for ${keyTypes.builder}`,
} as const;
export type NeededKey = keyof typeof neededKeys;
