import type { World } from '../world.cts';

/** A page elsewhere whose name leads to this machine must not be able to read or change what is here. */
export const isOwnHost = ({ origin }: World, host: string | undefined): boolean => {
	const { port } = new URL(origin);
	return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
};
