import type { Endpoint } from '../contract/endpoint';
import type { Connection } from './connection';
import type { Exchange } from './types';
import { hasVersion, type VersionRoute } from './url';

const isWrongRoute = (outcome: Exchange) => outcome.kind === 'answer' && outcome.status === 404;

/** Only a success proves the path: a proxy, or the rejection of a key, may come from any path. */
const remember = (
	connection: Pick<Connection, 'route'>,
	route: VersionRoute,
	outcome: Exchange,
): Exchange => {
	if (outcome.kind === 'answer' && outcome.status < 300) connection.route = route;
	return outcome;
};

/** One attempt at the service's path for the endpoint, or at both paths while it isn't known. */
export const attemptByRoute = async (
	connection: Pick<Connection, 'route'>,
	endpoint: Pick<Endpoint, 'api' | 'path'>,
	attempt: (route: VersionRoute) => Promise<Exchange>,
): Promise<Exchange> => {
	const known = hasVersion(endpoint) ? connection.route : 'merged';
	if (known !== undefined) return await attempt(known);
	const first = await attempt('merged');
	// These paths contain no ID, so a 404 means that the path doesn't exist and nothing was done: trying the other one is safe.
	if (!isWrongRoute(first)) return remember(connection, 'merged', first);
	const second = await attempt('literal');
	return isWrongRoute(second) ? first : remember(connection, 'literal', second);
};
