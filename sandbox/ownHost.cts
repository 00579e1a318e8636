const localNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Of a request or an origin. The origin `null` is not a URL. */
const toUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/**
 * Whether a request comes from the sandbox's own page, or from a program that isn't a browser. A website whose name points to
 * this machine (DNS rebinding) sends its own name as Host; a page of another origin sends its Origin, or, where the browser
 * leaves that out, says `cross-site`. The port may be another one: a tunnel has its own. Following a link is harmless: a short
 * link in a chat must work.
 */
export const isOwnRequest = ({ url, headers }: Request): boolean => {
	const target = toUrl(url);
	const origin = headers.get('origin');
	const isLoadedElsewhere =
		headers.get('sec-fetch-site') === 'cross-site' && headers.get('sec-fetch-dest') !== 'document';
	return (
		target !== undefined &&
		localNames.includes(target.hostname) &&
		(origin === null || toUrl(origin)?.host === target.host) &&
		!isLoadedElsewhere
	);
};
