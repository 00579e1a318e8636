import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import type { Endpoint } from '../../core/contract/endpoint';
import { addressOf, nameOf } from './support.cts';

/* Every call of the service's interface specification, and no other. */

const partnerCalls = [
	'POST /auth/token',
	'POST /company',
	'GET /company',
	'PUT /company/{id}',
	'POST /company/{id}/documents',
	'GET /company/{id}/documents',
	'POST /senders',
	'GET /senders',
	'GET /senders/{id}',
	'PUT /senders/{id}',
	'POST /senders/{id}/suspend',
	'POST /senders/{id}/unsuspend',
	'POST /dispatches',
	'POST /dispatches/{id}/messages',
	'POST /dispatches/{id}/start',
	'POST /dispatches/{id}/stop',
	'GET /dispatches',
	'GET /dispatches/{id}',
	'GET /messages',
	'PUT /recipients',
	'GET /price/tariffs',
	'GET /price/senders',
];
const messagingCalls = [
	'GET /ping',
	'GET /balance',
	'POST /v1/message',
	'GET /v1/message',
	'POST /api/v1/verifier/widget/send',
];
/** Named in the specification without method and path; these are the defaults. */
const defaultCalls = [
	'GET /templates',
	'GET /sender-names',
	'POST /message/stop',
	'POST /message/cascade',
	'POST /verifier/widget/check',
	'POST /verifier/send',
	'POST /verifier/check',
];

/** In the provider's public reference only. */
const publishedCalls = [
	'GET /message/{id}',
	'POST /flashcall-conversion',
	'GET /templates/{template_id}',
	'PUT /templates/{template_id}',
	'POST /sender-names',
	'GET /dispatch',
	'POST /dispatch/{dispatchId}/messages',
	'POST /dispatch/{dispatchId}/start',
	'POST /dispatch/{dispatchId}/stop',
];

const namesOf = (calls: Readonly<Record<string, Endpoint>>) => Object.values(calls).map(nameOf);
const withoutAuthorization = (calls: Readonly<Record<string, Endpoint>>) =>
	Object.values(calls)
		.filter(({ auth }) => auth === 'none')
		.map(nameOf);

describe('calls', () => {
	it('of the partner API', () => {
		expect(namesOf(partner).sort()).toEqual([...partnerCalls].sort());
		expect(new Set(Object.values(partner).map(({ api }) => api))).toEqual(new Set(['partner']));
	});
	it('of the messaging API', () => {
		const names = namesOf(messaging);
		expect(names).toEqual(expect.arrayContaining(messagingCalls));
		expect(names.map(addressOf).sort()).toEqual(
			[...messagingCalls, ...defaultCalls, ...publishedCalls].map(addressOf).sort(),
		);
		expect(new Set(Object.values(messaging).map(({ api }) => api))).toEqual(new Set(['messaging']));
	});
	it('only the token and the ping need no authorization', () => {
		expect(withoutAuthorization(partner)).toEqual(['POST /auth/token']);
		expect(withoutAuthorization(messaging)).toEqual(['GET /ping']);
	});
});
