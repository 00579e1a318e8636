import { readFileSync } from 'node:fs';
import type { Endpoint } from '../../core/contract/endpoint';
import { ApiMessage } from '../../core/contract/message';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { fieldsOf, interfaceDocument, interfacePath, partsOf } from '../../scripts/interface.cts';
import { nameOf } from './support.cts';

/* Which parts of the contract the specification states. Everything else must be marked as assumed, and nothing of this. */

const statedCalls = [
	'GET /ping',
	'GET /balance',
	'POST /v1/message',
	'GET /v1/message',
	'POST /api/v1/verifier/widget/send',
];
/** "Sending parameters named for POST /v1/message" */
const sendingParameters = [
	'callbackUrl',
	'callbackEvents',
	'ttl',
	'hours',
	'days',
	'tags',
	'localCompletionTime',
	'useLocalTime',
	'shortUrl',
	'trafficType',
];
/** "Filter parameters of GET /v1/message named in the revision history" */
const filters = [
	'message_uuid',
	'external_message_id',
	'dispatch',
	'direction',
	'country_code',
	'ready_to_stop',
	'content_nor',
	'cascade_message_uuid',
	'root',
];
/** "Known members of `item`", and what the revision history names in the message object. */
const messageMembers = [
	'createdTime',
	'sentTime',
	'messageUuid',
	'direction',
	'channelType',
	'trafficCenterId',
	'senderName',
	'destination',
	'content',
	'specialContent',
	'specialContent.text',
	'specialContent.contentType',
	'totalParts',
	'ttl',
	'hours',
	'days',
	'localSendTime',
	'localCompletionTime',
	'useLocalTime',
	'callbackEvents',
	'callbackUrl',
	'readStatus',
	'readStatusTime',
	'cascadeMessageUuid',
	'cascadeStep',
	'sendingMethod',
];
const statedParts: Record<string, Partial<Record<string, string[]>>> = {
	'POST /v1/message': { body: sendingParameters },
	'GET /v1/message': { query: filters },
	// The message object.
	'GET /v1/message/{id}': { reply: messageMembers },
	'POST /api/v1/verifier/widget/send': { body: ['key'] },
};

const statedIn = (fields: ReturnType<typeof fieldsOf>) =>
	fields.flatMap(({ name, assumed }) => (assumed === undefined ? [name] : [])).sort();

test('the partner API is stated, down to every field', () => {
	for (const endpoint of Object.values<Endpoint>(partner)) {
		const parts = Object.values(partsOf(endpoint)).flat();
		const assumed = parts.filter((field) => field.assumed !== undefined);
		expect({ call: nameOf(endpoint), assumed, why: endpoint.assumed }).toEqual({
			call: nameOf(endpoint),
			assumed: [],
			why: undefined,
		});
	}
});

describe.each(Object.values<Endpoint>(messaging))('$method $path', (endpoint) => {
	const name = `${endpoint.method} ${endpoint.path}`;
	const isStated = statedCalls.includes(name);

	test(isStated ? 'is stated' : 'is assumed, and says why', () => {
		expect(endpoint.assumed === undefined).toBe(isStated);
		if (!isStated) expect(endpoint.assumed).toMatch(/\w/);
	});

	test('marks exactly the fields that are not stated', () => {
		const found = Object.entries(partsOf(endpoint)).map(([part, fields]) => [
			part,
			// The entries of the list are the message object, which is held below.
			statedIn(fields.filter((field) => !field.name.startsWith('items.'))),
		]);
		const expected = ['path', 'query', 'body', 'reply'].map((part) => [
			part,
			[...(statedParts[name]?.[part] ?? [])].sort(),
		]);
		expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
	});
});

test('the message object: marks exactly the fields that are not stated', () => {
	expect(statedIn(fieldsOf(ApiMessage))).toEqual([...messageMembers].sort());
});

test('docs/interface.md is made from it', () => {
	expect(readFileSync(interfacePath, 'utf8')).toBe(interfaceDocument());
});
