import { partner } from '../../core/contract/partner';
import {
	double,
	holdsCall,
	int,
	listOf,
	objectWith,
	oneOf,
	optional,
	required,
	string,
} from './support.cts';
import type { Call } from './support.cts';
import { trafficTypes } from './vocabulary.cts';

const senderType = oneOf('COMMON', 'START', 'PRO');
const trafficType = oneOf(...trafficTypes);
const pricingModel = oneOf('FIXED', 'SCALED', 'MAU');

const tariff = objectWith({
	senderType: required(senderType),
	brand: optional(string), // "present for operator-specific tariffs"
	trafficType: optional(trafficType), // "present for some tariffs"
	pricingModel: required(pricingModel),
	currency: required(string),
	prices: required(
		listOf(
			// Which of them an item has depends on the pricing model: a fixed price has no threshold, a price per
			// message no MAU package.
			objectWith({
				from: optional(int),
				price: optional(double),
				priceMauBatch: optional(double),
			}),
		),
	),
});

const calls: Call[] = [
	{
		call: 'GET /price/tariffs',
		query: objectWith({
			senderType: optional(senderType),
			brand: optional(string),
			trafficType: optional(trafficType),
			pricingModel: optional(pricingModel),
		}),
		reply: objectWith({ tariffs: required(listOf(tariff)) }),
	},
	{
		call: 'GET /price/senders',
		reply: objectWith({
			senderFees: required(
				listOf(
					objectWith({
						brand: required(string),
						value: required(double),
						currency: required(string),
					}),
				),
			),
		}),
	},
];

describe('prices', () => {
	for (const call of calls) holdsCall(partner, call);
});
