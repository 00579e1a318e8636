import { documentLimits } from '../../core/contract/company';
import { partner } from '../../core/contract/partner';
import {
	awaited,
	bool,
	datetime,
	double,
	endpointOf,
	holdsCall,
	int,
	listOf,
	objectWith,
	oneOf,
	optional,
	page,
	required,
	string,
	verdict,
} from './support.cts';
import type { Call, Type } from './support.cts';

const companyStatus = oneOf('ACTIVE', 'DISABLED');

const companyItem = objectWith({
	companyId: required(int),
	name: required(string),
	counteragentName: required(string),
	counteragentInn: required(string),
	status: required(companyStatus),
	// A company whose `budget` was omitted is unlimited: there is no amount to return.
	budget: awaited(objectWith({ value: required(double), currency: required(string) })),
});

const companyDocument = objectWith({
	id: required(string),
	companyId: required(int),
	filename: required(string),
	createdAt: required(datetime),
});

const fileOf = (contentType: string, size: number) => ({
	filename: 'charter.pdf',
	contentType,
	bytes: new Uint8Array(size),
});
const file: Type = { good: [fileOf('application/pdf', 4)], bad: ['text', 1, true, {}, []] };

const calls: Call[] = [
	{
		call: 'POST /auth/token',
		auth: 'none',
		body: objectWith({ login: required(string), password: required(string) }),
		reply: objectWith({ token: required(string) }),
	},
	{
		call: 'POST /company',
		status: 201,
		body: objectWith({
			company: required(
				objectWith({
					name: required(string),
					counteragentType: required(oneOf('LEGAL', 'INDIVIDUAL')),
					counteragentInn: required(string),
					counteragentAddress: optional(string),
					counteragentKpp: optional(string),
				}),
			),
			budget: optional(double),
		}),
		reply: objectWith({ companyId: required(int) }),
	},
	{
		call: 'GET /company',
		query: objectWith({ page: optional(int), per_page: optional(int) }),
		paging: { number: 'page', size: 'per_page', defaultSize: 10 },
		reply: page(companyItem),
	},
	{
		call: 'PUT /company/{id}',
		body: objectWith({
			budget: optional(double),
			status: optional(companyStatus),
			name: optional(string),
			actualAddress: optional(string),
		}),
		reply: objectWith({ companyId: required(int), updatedAt: required(datetime) }),
	},
	{
		call: 'POST /company/{id}/documents',
		status: 201,
		encoding: 'multipart',
		body: objectWith({ file: required(file) }),
		reply: companyDocument,
	},
	{ call: 'GET /company/{id}/documents', reply: listOf(companyDocument) },
];

describe('token and companies', () => {
	for (const call of calls) holdsCall(partner, call);
});

describe('blacklist', () => {
	holdsCall(partner, {
		call: 'PUT /recipients',
		body: objectWith({
			companyId: required(int),
			msisdn: required(string),
			blacklist: required(bool),
			comment: optional(string),
		}),
		reply: objectWith({
			msisdn: required(string),
			companyId: required(int),
			blacklist: required(bool),
		}),
	});
});

describe('limit of a company document: PDF, JPG or PNG, at most 10 MB', () => {
	const body = endpointOf(partner, 'POST /company/{id}/documents').body!;
	const upload = (contentType: string, size: number) =>
		verdict(body, { file: fileOf(contentType, size) }, ['file']);
	// The specification does not say which megabyte it means: these sizes are on the same side for both.
	const inside = 10_000_000;
	const outside = 10 * 1024 * 1024 + 1;

	it('is written down', () => {
		expect([...documentLimits.types].sort()).toEqual([
			'application/pdf',
			'image/jpeg',
			'image/png',
		]);
		expect(documentLimits.maxBytes).toBeGreaterThanOrEqual(inside);
		expect(documentLimits.maxBytes).toBeLessThan(outside);
	});

	it.each([
		['application/pdf', inside, 'taken'],
		['image/jpeg', inside, 'taken'],
		['image/png', inside, 'taken'],
		['application/pdf', outside, 'refused there'],
		['text/plain', 4, 'refused there'],
	])('%s of %d bytes: %s', (type, size, expected) => expect(upload(type, size)).toBe(expected));
});
