import type { World } from './world.cts';

/** The host of a URL or an origin. Empty for an origin such as `null`. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

const isOwnHost = ({ origin }: World, host: string): boolean => {
	const own = hostOf(origin);
	return host === own || host === own.replace('127.0.0.1', 'localhost');
};

/**
 * Whether a request comes from the sandbox's own page or from a program that isn't a browser. Other websites are
 * recognized in three ways: a host name that points to this machine (DNS rebinding) appears as Host, a page of another
 * origin sends its Origin, and where the browser omits Origin it sends `cross-site`. Following a link from elsewhere is
 * allowed, because a short link in a chat must work.
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
