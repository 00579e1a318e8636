import { UserError } from 'n8n-workflow';
import { messaging } from '../../../../core/contract/messaging';
import { toItem } from '../../../../core/engine/items';
import { defineOperation } from '../../../../core/engine/operation';
import { readNumber } from '../../../../core/engine/scalars';
import { toQuoted } from '../../../../core/engine/errors';
import { isRecord } from '../../../../core/json';
import { z } from '../../../../vendor/zod';

type BalanceItem = Record<string, unknown>;

/** The contract promises an object of numbers; a service may answer anything. */
const requireBalance = (reply: unknown): BalanceItem => {
	if (isRecord(reply)) return reply;
	throw new UserError('The service answered without a balance', {
		description: 'Try again later, or check Base URL in the credential.',
	});
};

/** Stops when there is too little: a workflow must not go on to send what cannot be paid. */
const requireAtLeast = (balance: BalanceItem, currency: string, minimum: number): void => {
	const given = Object.hasOwn(balance, currency) ? balance[currency] : undefined;
	if (given === undefined) {
		throw new UserError(`The account has no balance in ${currency}`, {
			description: `It has one in: ${Object.keys(balance).join(', ') || 'nothing'}. Choose one of these under Stop When Below.`,
		});
	}
	const amount = readNumber(given);
	if (amount === undefined) {
		throw new UserError(`The balance in ${currency} cannot be read`, {
			description: `The service gives ${toQuoted(given)} where a number belongs. Check the balance in your account on the provider's website.`,
		});
	}
	if (amount >= minimum) return;
	throw new UserError(`The balance is ${amount} ${currency}, below the minimum of ${minimum}`, {
		description: 'Top up the balance of the account, or lower Minimum under Stop When Below.',
	});
};

export const getBalance = defineOperation({
	value: 'getBalance',
	name: 'Get Balance',
	action: 'Get balance',
	description: 'See how much money is left, and stop the workflow when it is too little',
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
					description: 'As the service gives it: a field for each currency',
				},
				{
					name: 'One Item per Currency',
					value: 'currencies',
					description: 'With currency and amount',
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
			description: 'Stops with an error when less is left than the minimum',
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
							description: 'The least amount to go on with',
						},
						{
							displayName: 'Currency',
							name: 'currency',
							type: 'string',
							default: 'RUB',
							whenEmpty: 'refuse',
							description: 'The code of the currency, such as RUB',
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
