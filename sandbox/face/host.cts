import type { World } from '../world.cts';

/** Of an address or an origin; nothing for what is none, such as the origin `null`. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** A page elsewhere whose name leads to this machine must not be able to read or change what is here. */
export const isOwnHost = ({ origin }: World, host: string): boolean => {
	const { port } = new URL(origin);
	return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
};
