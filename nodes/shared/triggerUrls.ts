/** The last part of each URL of the Bulk Messaging Trigger. */
export const triggerPaths = { fast: 'fast', confirmed: 'confirmed' } as const;

/** n8n writes `<webhook ID>/<path>`, or `<workflow ID>/<node name>/<path>` for a node without a webhook ID. */
const triggerPath = new RegExp(
	`/webhook(?:-test)?/(?:[^/]+/){1,2}(?:${Object.values(triggerPaths).join('|')})/?$`,
);

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : undefined);

/** Whether a callback URL has the form of a Bulk Messaging Trigger's URL in the n8n with one of these base URLs. */
export const isTriggerUrl = (callbackUrl: string, baseUrls: readonly string[]): boolean => {
	const { origin, pathname } = new URL(callbackUrl);
	return triggerPath.test(pathname) && baseUrls.some((baseUrl) => originOf(baseUrl) === origin);
};

/** Whether it is a URL that n8n answers only while the editor listens for a test event. */
export const isTestUrl = (callbackUrl: string): boolean =>
	new URL(callbackUrl).pathname.includes('/webhook-test/');
