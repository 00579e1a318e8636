import { messageErrors } from '../../core/contract/errors';
import type { Outcome, Settings } from '../stored/settings.cts';

/**
 * Numbers that end with these seven digits get this outcome, with any operator code: 7 916 999-00-01. The digits are high,
 * so that tests that count up from zero don't reach them.
 */
const magic = new Map<string, Outcome>([
	['9990001', 'undelivered'],
	['9990002', 'unsent'],
	['9990003', 'slow'],
	['9990004', 'unread'],
	['9990005', 'smsOnly'],
]);

/** Numbers that end with 9990 and a message error code fail with it: 7 916 999-04-53. */
export const errorCodeOf = (destination: string): number | undefined => {
	const code = /9990(\d{3})$/.exec(destination)?.[1];
	return code !== undefined && Number(code) in messageErrors ? Number(code) : undefined;
};

/** The platform itself rejects a message with these codes. All others come from the operator, after it was sent. */
export const isBeforeSending = (code: number): boolean => code >= 453 && code <= 458;

/** FNV-1a: the same number and seed give the same value on every run. */
export const hashOf = (text: string, seed: number): number => {
	let hash = 0x811c9dc5 ^ seed;
	for (let index = 0; index < text.length; index++) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	}
	// The low bits of FNV depend mostly on the last character, so the high bits are mixed in.
	return (hash ^ (hash >>> 15)) >>> 0;
};

export const outcomeOf = (settings: Settings, destination: string): Outcome => {
	if (Object.hasOwn(settings.outcomes, destination)) return settings.outcomes[destination];
	const decided = magic.get(destination.slice(-7));
	if (decided !== undefined) return decided;
	if (settings.deliveredShare >= 1) return 'delivered';
	const point = (hashOf(destination, settings.seed) % 10_000) / 10_000;
	return point < settings.deliveredShare ? 'delivered' : 'undelivered';
};

const slowMs = 10 * 60_000;

/** How long a message to this number takes from sent to delivered. */
export const deliveryTime = (settings: Settings, destination: string, outcome: Outcome): number =>
	outcome === 'slow'
		? slowMs
		: settings.deliveredAfterMs +
			(settings.deliveredSpreadMs === 0
				? 0
				: hashOf(destination, settings.seed) % settings.deliveredSpreadMs);
