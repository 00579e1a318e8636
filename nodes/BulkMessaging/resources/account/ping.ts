import { NodeOperationError } from 'n8n-workflow';
import { messaging } from '../../../../core/contract/messaging';
import { defineOperation } from '../../../../core/engine/operation';
import { ServiceError } from '../../../../core/transport/errors';
import { send } from '../../../../core/transport/send';
import { z } from '../../../../vendor/zod';

/** One attempt: a retry would hide that the service was unavailable. */
const once = { attempts: 1, firstPauseMs: 0, longestPauseMs: 0 };

export const ping = defineOperation({
	value: 'ping',
	name: 'Ping',
	action: 'Ping the service',
	description:
		'See whether the service is available and how fast it responds. The API key is neither sent nor tested.',
	output: z.object({
		available: z.boolean(),
		latencyMs: z.number(),
		reason: z.string().optional(),
	}),
	effect: 'reads',
	params: [
		{
			displayName: 'Fail When Unavailable',
			name: 'failWhenUnavailable',
			type: 'boolean',
			default: false,
			description:
				"Whether to stop with an error when the service can't be reached, instead of returning available: false",
		},
	],
	each: async ({ failWhenUnavailable }, { context }) => {
		const begun = performance.now();
		const answer = await send(context, messaging.ping, {}, { retry: once }).catch(
			(error: unknown) => {
				if (error instanceof ServiceError && !failWhenUnavailable) return error;
				throw error;
			},
		);
		const latencyMs = Math.round(performance.now() - begun);
		if (answer instanceof ServiceError)
			return [{ available: false, latencyMs, reason: answer.message }];
		if (answer.trim() === 'PONG') return [{ available: true, latencyMs }];
		const reason = 'A different server responded at this URL';
		if (!failWhenUnavailable) return [{ available: false, latencyMs, reason }];
		throw new NodeOperationError(context.getNode(), reason, {
			description: "Check 'Base URL' in the credential.",
		});
	},
});
