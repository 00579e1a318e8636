import type { Endpoint } from '../contract/endpoint';
import type { Caller } from './connection';
import { dateIn } from './headers';
import type { HttpAnswer } from './types';

type Times = Map<Endpoint['api'], number>;

/** For each run, the newest time that each API has sent. */
const times = new WeakMap<Caller, Times>();

/**
 * What time it is at the service, by the `Date` header of its newest response in this run, in milliseconds; `undefined` if no
 * response had a readable one. It doesn't run on between two responses, so ask right after a call.
 */
export const serviceTime = (caller: Caller, api: Endpoint['api']): number | undefined =>
	times.get(caller)?.get(api);

/** Keeps the newest time, because responses to parallel calls come in any order, and a cached one has an old date. */
export const noteServiceTime = (
	caller: Caller,
	api: Endpoint['api'],
	{ headers }: Pick<HttpAnswer, 'headers'>,
): void => {
	const time = dateIn(headers, 'date');
	if (time === undefined) return;
	const ofRun = times.get(caller) ?? (new Map() as Times);
	times.set(caller, ofRun.set(api, Math.max(time, ofRun.get(api) ?? time)));
};
