import { NodeOperationError, UserError } from 'n8n-workflow';
import { messaging } from '../../../core/contract/messaging';
import { toQuoted } from '../../../core/engine/errors';
import { toItem } from '../../../core/engine/items';
import { defineOperation, type Resource } from '../../../core/engine/operation';
import { readNumber } from '../../../core/engine/coerce';
import { isRecord } from '../../../core/json';
import { ServiceError } from '../../../core/transport/outcome';
import { send } from '../../../core/transport/send';
import { z } from '../../../vendor/zod';

type BalanceItem = Record<string, unknown>;

/** The contract promises an object of numbers, but a service may respond with anything. */
const requireBalance = (reply: unknown): BalanceItem => {
	if (isRecord(reply)) return reply;
	throw new UserError("The service's response contains no balance", {
		description: "Try again later, or check 'Base URL' in the credential.",
	});
};

/** Fails when the balance is too low, so that the workflow doesn't send messages that can't be paid for. */
const requireAtLeast = (balance: BalanceItem, currency: string, minimum: number): void => {
	const given = Object.hasOwn(balance, currency) ? balance[currency] : undefined;
	if (given === undefined) {
		throw new UserError(`Your account has no balance in ${currency}`, {
			description: `Currencies of your balance: ${Object.keys(balance).join(', ') || 'none'}. Enter one of them as 'Currency' in 'Stop When Below'.`,
		});
	}
	const amount = readNumber(given);
	if (amount === undefined) {
		throw new UserError(`The balance in ${currency} isn't a number`, {
			description: `The service returned ${toQuoted(given)} instead. Check your balance in your account on the provider's website.`,
		});
	}
	if (amount >= minimum) return;
	throw new UserError(`The balance is ${amount} ${currency}, below the minimum of ${minimum}`, {
		description: "Top up your balance, or lower 'Minimum' in 'Stop When Below'.",
	});
};

const getBalance = defineOperation({
	value: 'getBalance',
	name: 'Get Balance',
	action: 'Get balance',
	description: 'Get your balance, and optionally stop the workflow when it is too low',
	endpoint: messaging.balance,
	output: z.object({ currency: z.string(), amount: z.number() }),
	params: [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{
					name: 'All Currencies in One Item',
					value: 'raw',
					description: 'One field per currency, as the service returns it',
				},
				{
					name: 'One Item per Currency',
					value: 'currencies',
					description: 'Each item contains currency and amount',
				},
			],
			default: 'currencies',
		},
		{
			displayName: 'Stop When Below',
			name: 'threshold',
			type: 'fixedCollection',
			default: {},
			placeholder: 'Add Minimum',
			description: 'Stops the workflow with an error when the balance is below the minimum',
			options: [
				{
					displayName: 'Minimum',
					name: 'below',
					values: [
						{
							displayName: 'Minimum',
							name: 'minimum',
							type: 'number',
							typeOptions: { numberPrecision: 2 },
							default: 100,
							description: 'The workflow continues only if the balance is at least this amount',
						},
						{
							displayName: 'Currency',
							name: 'currency',
							type: 'string',
							default: 'RUB',
							whenEmpty: 'refuse',
							description: 'The currency code, such as RUB',
						},
					],
				},
			],
		},
	],
	request: () => ({}),
	toItems: (reply, { output, threshold: { below } }) => {
		const balance = requireBalance(reply);
		if (below !== undefined) {
			requireAtLeast(balance, below.currency.trim().toUpperCase(), below.minimum);
		}
		return output === 'raw'
			? [toItem(balance)]
			: Object.entries(balance).map(([currency, amount]) =>
					toItem({ currency, amount: readNumber(amount) ?? amount }),
				);
	},
});

/** One attempt: a retry would hide that the service was unavailable. */
const once = { attempts: 1, firstPauseMs: 0, longestPauseMs: 0 };

const ping = defineOperation({
	value: 'ping',
	name: 'Ping',
	action: 'Ping service',
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

export const account: Resource = {
	value: 'account',
	name: 'Account',
	description: 'Your balance, and whether the service is available',
	operations: [getBalance, ping],
};
