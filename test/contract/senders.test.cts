import { partner } from '../../core/contract/partner';
import { isUnusualForMegafon } from '../../core/contract/sender';
import {
	bool,
	datetime,
	double,
	endpointOf,
	holdsCall,
	int,
	limited,
	listOf,
	nullable,
	objectWith,
	oneOf,
	optional,
	required,
	string,
	verdict,
} from './support.cts';
import type { Call } from './support.cts';
import { channelType } from './vocabulary.cts';

const commonType = oneOf(
	'PROMO',
	'COMMON',
	'MULTISIGNATURE',
	'INTERNATIONAL_VERIFY',
	'INTERNATIONAL_COMMON',
);
const brand = oneOf('MTS', 'BEELINE', 'MEGAFON', 'TELE2');
const senderStatus = oneOf(
	'DRAFT',
	'PRE_REVIEW',
	'INTERNAL_REVIEW',
	'EXTERNAL_REVIEW',
	'AWAITING',
	'APPROVED',
	'REJECTED',
	'DENIED',
	'CLOSED',
);

const sender = objectWith({
	id: required(int),
	senderName: required(string),
	channelType: required(channelType),
	counteragentName: required(string),
	counteragentInn: required(string),
	dateFrom: required(datetime),
	dateTo: nullable(datetime),
	commonType: required(commonType),
	brand: required(brand),
	status: required(senderStatus),
	suspended: required(bool),
	suspendReason: optional(string), // "present after a suspend that carried a reason"
	fee: nullable(double),
	managerComment: nullable(string),
	rejectedAt: nullable(datetime),
	createdAt: required(datetime),
});

/** The example is an SMS name, so its limit of 11 characters applies. */
const smsSenderName = limited(string, {
	inside: ['ACME', 'A'.repeat(11)],
	outside: ['A'.repeat(12)],
});

const calls: Call[] = [
	{
		call: 'POST /senders',
		status: 201,
		body: objectWith({
			companyId: required(int),
			senderName: required(smsSenderName),
			channelType: required(channelType),
			commonType: required(commonType),
			brand: required(brand),
			dateFrom: required(datetime),
			countryId: optional(int),
			description: optional(string),
			documentIds: optional(listOf(string)),
		}),
		reply: sender,
	},
	{
		call: 'GET /senders',
		query: objectWith({
			companyId: required(int),
			brand: optional(listOf(brand)),
			commonType: optional(listOf(commonType)),
			status: optional(listOf(senderStatus)),
			channelType: optional(listOf(channelType)),
			countryCode: optional(listOf(string)),
		}),
		reply: listOf(sender),
	},
	{
		call: 'GET /senders/{id}',
		query: objectWith({ companyId: optional(int) }),
		reply: sender,
	},
	{
		call: 'PUT /senders/{id}',
		body: objectWith({
			senderName: optional(string),
			commonType: optional(commonType),
			dateFrom: optional(datetime),
			dateTo: optional(datetime),
			documentIds: optional(listOf(string)),
		}),
		reply: sender,
	},
	{
		call: 'POST /senders/{id}/suspend',
		body: objectWith({ reason: optional(string) }),
		reply: sender,
	},
	{ call: 'POST /senders/{id}/unsuspend', reply: sender },
];

describe('senders', () => {
	for (const call of calls) holdsCall(partner, call);

	it('the request of POST /senders/{id}/suspend may be left out as a whole', () => {
		expect(verdict(endpointOf(partner, 'POST /senders/{id}/suspend').body!, undefined)).toBe(
			'taken',
		);
	});
});

describe('rules for senderName', () => {
	const create = (fields: object) =>
		verdict(
			endpointOf(partner, 'POST /senders').body!,
			{
				companyId: 1,
				senderName: 'ACME',
				channelType: 'SMS',
				commonType: 'COMMON',
				brand: 'MTS',
				dateFrom: '2026-03-01T10:00:00Z',
				...fields,
			},
			['senderName'],
		);

	/** The rule for MEGAFON is stated for another API. */
	it.each([
		[{ senderName: 'A'.repeat(12), channelType: 'SMS' }, 'refused there'],
		[{ senderName: 'A'.repeat(12), channelType: 'VIBER' }, 'taken'],
		[{ senderName: 'ACME+', brand: 'MEGAFON' }, 'taken'],
		[{ senderName: 'AC ME', brand: 'MEGAFON' }, 'taken'],
		[{ senderName: 'ACME!', brand: 'MEGAFON' }, 'taken'],
		[{ senderName: 'AC ME+', brand: 'MTS' }, 'taken'],
	])('%j: %s', (fields, expected) => expect(create(fields)).toBe(expected));

	it('+ and the space are unusual for MEGAFON', () => {
		expect(['ACME+', 'AC ME', 'ACME!'].map(isUnusualForMegafon)).toEqual([true, true, false]);
	});
});
