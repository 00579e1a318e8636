/** The last part of each URL of the Bulk Messaging Trigger. */
export const triggerPaths = { fast: 'fast', confirmed: 'confirmed' } as const;

const endings: readonly string[] = Object.values(triggerPaths);
const testRoot = 'webhook-test';
const webhookRoots = ['webhook', testRoot];

/** n8n's paths are `webhook/<webhook ID>/<path>`, or `webhook/<workflow ID>/<node name>/<path>` without a webhook ID. */
const isTriggerPath = (pathname: string): boolean => {
	const parts = pathname.replace(/\/$/, '').split('/');
	const roots = parts.slice(-4, -2);
	return endings.includes(parts.at(-1) ?? '') && roots.some((part) => webhookRoots.includes(part));
};

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : undefined);

/** Whether a callback URL has the form of a Bulk Messaging Trigger's URL in the n8n with one of these base URLs. */
export const isTriggerUrl = (callbackUrl: string, baseUrls: readonly string[]): boolean => {
	const { origin, pathname } = new URL(callbackUrl);
	return isTriggerPath(pathname) && baseUrls.some((baseUrl) => originOf(baseUrl) === origin);
};

/** Whether it is a test URL, which n8n responds to only while the editor listens for a test event. */
export const isTestUrl = (callbackUrl: string): boolean =>
	new URL(callbackUrl).pathname.split('/').includes(testRoot);
