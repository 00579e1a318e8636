import { UserError } from 'n8n-workflow';
import { messaging } from '../../../../core/contract/messaging';
import { toItem } from '../../../../core/engine/items';
import { defineOperation } from '../../../../core/engine/operation';
import { readNumber } from '../../../../core/engine/scalars';
import { toQuoted } from '../../../../core/engine/errors';
import { isRecord } from '../../../../core/json';
import { z } from '../../../../vendor/zod';

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

export const getBalance = defineOperation({
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
