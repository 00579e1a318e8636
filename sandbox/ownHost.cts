import type { World } from './world.cts';

/** The host of a URL or an origin, or an empty text for an origin such as `null`. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

const isOwnHost = ({ origin }: World, host: string): boolean => {
	const own = hostOf(origin);
	return host === own || host === own.replace('127.0.0.1', 'localhost');
};

/**
 * Whether a request comes from this machine's own page, or from a program that is no browser. A website whose host name
 * points to this machine (DNS rebinding) sends its own name as Host; a page of another origin sends its Origin, or, where the
 * browser leaves that out, says `cross-site`. Following a link is harmless: a short link in a chat must work.
 */
export const isOwnRequest = (world: World, { url, headers }: Request): boolean => {
	const origin = headers.get('origin');
	const isLoadedElsewhere =
		headers.get('sec-fetch-site') === 'cross-site' && headers.get('sec-fetch-dest') !== 'document';
	return (
		isOwnHost(world, hostOf(url)) &&
		(origin === null || isOwnHost(world, hostOf(origin))) &&
		!isLoadedElsewhere
	);
};
