const localNames = ['127.0.0.1', 'localhost', '[::1]'];

/** The URL of a request or an origin. The origin `null` isn't a URL. */
const toUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/**
 * Whether a request comes from the sandbox's own page, or from a program that isn't a browser. Other websites are recognized
 * in three ways: a website whose name points to this machine (DNS rebinding) sends its own name as Host, a page of another
 * origin sends its Origin, and where the browser omits Origin it sends `cross-site`. Any port is accepted, because a tunnel has
 * its own. Following a link from elsewhere is allowed, because a short link in a chat must work.
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
