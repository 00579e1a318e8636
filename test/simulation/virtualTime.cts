import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Clock } from './clock.cts';
import type { Random } from './random.cts';

const load = createRequire(__filename);
/** n8n-workflow's index passes on what this module exports at the time, so a replaced `sleep` reaches every node. */
const utilities = load(path.join(path.dirname(load.resolve('n8n-workflow')), 'utils.js')) as Pick<
	typeof import('n8n-workflow'),
	'sleep'
>;

/** How the process that has just slept wakes up: its computer may be asleep. */
export const wakesUp = new AsyncLocalStorage<() => Promise<void>>();

const RealDate = Date;
/** Set in everything that a history begins, and not in what earlier tests of the same process have left running. */
const histories = new AsyncLocalStorage<Random>();
const { random: realRandom } = Math;
const neverAborted = new AbortController().signal;

/** Replaces one property and returns how to put the old one back. */
const replace = <T extends object, K extends keyof T>(owner: T, name: K, value: T[K]) => {
	const before = Object.getOwnPropertyDescriptor(owner, name);
	Object.defineProperty(owner, name, { value, configurable: true, writable: true });
	return () => {
		if (before === undefined) Reflect.deleteProperty(owner, name);
		else Object.defineProperty(owner, name, before);
	};
};

/**
 * Gives the whole process virtual time and seeded random numbers, so that a history depends on nothing but its seed. Returns a
 * function that ends this.
 */
export const useVirtualTime = (clock: Clock, random: Random): (() => void) => {
	class VirtualDate extends RealDate {
		constructor(...given: [] | [number | string | Date]) {
			super(...((given.length === 0 ? [clock.now] : given) as [number]));
		}

		static override now() {
			return clock.now;
		}
	}
	histories.enterWith(random);
	const uuid = () => random.uuid() as ReturnType<typeof crypto.randomUUID>;
	const restore = [
		replace(globalThis, 'Date', VirtualDate as DateConstructor),
		replace(performance, 'now', () => clock.now),
		replace(Math, 'random', () => histories.getStore()?.next() ?? realRandom()),
		replace(crypto, 'randomUUID', uuid),
		replace(globalThis.crypto, 'randomUUID', uuid),
		replace(crypto, 'randomInt', ((least: number, most?: number) =>
			most === undefined
				? random.below(least)
				: random.between(least, most - 1)) as typeof crypto.randomInt),
		// The network gives whole bodies at once, so only requests can take too long, and it watches those itself.
		replace(AbortSignal, 'timeout', () => neverAborted),
		replace(utilities, 'sleep', async (ms) => {
			await clock.sleep(ms);
			await wakesUp.getStore()?.();
		}),
	];
	return () => {
		histories.disable();
		restore.forEach((back) => back());
	};
};
