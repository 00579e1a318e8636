import { z } from '../../vendor/zod';
import { found } from '../api/apiError.cts';
import { keyTypes } from '../stored/entities.cts';
import type { Control, Controls } from './control.cts';

const noInput = z.object({}).strict();
const KeyTypes = z.enum(keyTypes);

export const accessControls = (control: Control, { world }: Controls): void => {
	control({
		method: 'POST',
		path: '/tokens/expire',
		does: 'Expires every token.',
		input: noInput,
		handle: () => {
			const { tokens } = world.store;
			for (const token of tokens.values()) token.expiresAt = world.timeline.now;
			return { expired: tokens.size };
		},
	});

	control({
		method: 'PUT',
		path: '/password',
		does: "Changes the partner's password and invalidates every token.",
		input: z.object({ password: z.string().min(1) }).strict(),
		handle: ({ password }) => {
			world.store.password = password;
			world.store.tokens.clear();
		},
	});

	control({
		method: 'GET',
		path: '/keys',
		does: 'Lists the API keys with their type, state and allowed IP addresses.',
		input: noInput,
		handle: () => [...world.store.keys].map(([key, details]) => ({ key, ...details })),
	});

	control({
		method: 'PUT',
		path: '/keys/{key}',
		does: 'Creates or changes a key: {"type": "FULL" | "MESSAGES" | "ENTITIES" | "VERIFIER" | "WIDGET", "active", "ips": []}.',
		input: z
			.object({ type: KeyTypes, active: z.boolean(), ips: z.array(z.string()) })
			.partial()
			.strict(),
		handle: (changes, { key }) => {
			const { keys } = world.store;
			const known = keys.get(key) ?? { type: 'FULL', active: true, ips: [] };
			keys.set(key, { ...known, ...changes });
			return { key, ...known, ...changes };
		},
	});

	control({
		method: 'POST',
		path: '/keys/{key}/reissue',
		does: 'Gives the key a new value; the old one stops working.',
		input: noInput,
		handle: (_, { key }) => {
			const { keys } = world.store;
			const known = found(keys.get(key), 'key', key);
			const value = world.uuid();
			keys.delete(key);
			keys.set(value, known);
			return { key: value, ...known };
		},
	});
};
