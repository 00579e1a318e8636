import { z } from '../../vendor/zod';
import { badRequest, found } from '../api/apiError.cts';
import { Fault, RandomFaults } from '../api/faults.cts';
import { callbackStates, isReply, splitCredentials, type CallbackEntry } from '../time/outbox.cts';
import { pageOf } from '../api/pages.cts';
import { isoOf } from '../stored/views.cts';
import type { Control, Controls } from './control.cts';

const number = z.coerce.number().int().positive();

const entryView = ({ createdAt, attempts, authorization, ...entry }: CallbackEntry) => ({
	...entry,
	/** Whether Basic credentials were sent. The credentials themselves aren't shown. */
	authorized: authorization !== null,
	createdAt: isoOf(createdAt),
	attempts: attempts.map(({ at, ...result }) => ({ at: isoOf(at), ...result })),
});

export const callbackControls = (control: Control, { world }: Controls): void => {
	control({
		method: 'GET',
		path: '/callbacks',
		does: 'Lists the callbacks, oldest first: ?state=pending|delivered|expired|stopped&url=...&page=1&perPage=100.',
		input: z
			.object({
				state: z.enum(callbackStates).optional(),
				url: z.string().optional(),
				page: number.optional(),
				perPage: number.optional(),
			})
			.strict(),
		handle: ({ state, url, page, perPage }) => {
			const matching = [...world.outbox.entries.values()].filter(
				(entry) =>
					(state === undefined || entry.state === state) &&
					(url === undefined || entry.url === url),
			);
			const cut = pageOf(matching, { page, size: perPage, usual: 100 });
			return { ...cut, items: cut.items.map(entryView) };
		},
	});
};

export const callbackActions = (control: Control, { world }: Controls): void => {
	const { outbox } = world;
	const entryOf = (id: string) => found(outbox.entries.get(Number(id)), 'callback', id);

	control({
		method: 'POST',
		path: '/callbacks/{id}/resend',
		does: 'Sends a callback again now, whatever its state. A reply uses the current login of its rule.',
		input: z.object({}).strict(),
		handle: (_, { id }) => {
			const entry = entryOf(id);
			const rule = world.store.inboundRules
				.map(({ callbackUrl }) => splitCredentials(callbackUrl))
				.find(({ url }) => isReply(entry) && url === entry.url);
			if (rule !== undefined) entry.authorization = rule.authorization;
			if (!outbox.resendNow(entry)) throw badRequest('an attempt is already under way');
			return entryView(entry);
		},
	});

	control({
		method: 'POST',
		path: '/callbacks/{id}/stop',
		does: 'Stops resending a callback.',
		input: z.object({}).strict(),
		handle: (_, { id }) => {
			const entry = entryOf(id);
			outbox.stopRetrying(entry);
			return entryView(entry);
		},
	});
};

export const faultControls = (control: Control, { world: { faults } }: Controls): void => {
	control({
		method: 'GET',
		path: '/faults',
		does: 'Lists the planned and random faults.',
		input: z.object({}).strict(),
		handle: () => faults.waiting,
	});

	control({
		method: 'POST',
		path: '/faults',
		does: 'Makes the next matching requests fail: {"kind", "match": {"method", "path"}, "times", "after", "status", "code", "ms", "headers", "body"}.',
		input: Fault,
		handle: (fault) => faults.add(fault),
	});

	control({
		method: 'PUT',
		path: '/faults/random',
		does: 'Makes a share of all requests fail: {"rate": 0.1, "seed": 1, "kinds": ["status"], "match"}.',
		input: RandomFaults,
		handle: (random) => faults.setRandom(random),
	});

	control({
		method: 'DELETE',
		path: '/faults',
		does: 'Removes all faults.',
		input: z.object({}).strict(),
		handle: () => faults.clear(),
	});
};
