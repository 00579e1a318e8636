/** The types of API keys, by what each is for. A public reference lists them; the provider's interface only says that there are types. */
export const keyTypes = {
	messages: 'messages and dispatches',
	entities: 'sender names and templates',
	verification: 'phone verification',
	builder: "the verification widget on a website builder's site",
} as const;
export type KeyType = keyof typeof keyTypes;
