import { readFileSync } from 'node:fs';
import type { Endpoint } from '../../core/contract/endpoint';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { sources } from '../../core/contract/provenance';
import * as values from '../../core/contract/values';
import { interfaceDocument, interfacePath, partsOf } from '../../scripts/interface.cts';
import { nameOf } from './support.cts';

/*
 * Which parts of the contract the specification states: transcribed here. Which of the others a public reference shows, and which
 * are assumed, is in docs/interface.md, call by call and field by field: whoever changes a mark sees it there.
 */

const words = (text: string) => text.trim().split(/\s+/);
const statedCalls = [
	'GET /ping',
	'GET /balance',
	'POST /v1/message',
	'GET /v1/message',
	'POST /api/v1/verifier/widget/send',
];
/** "Known members of `item`", and what the revision history names in the message object. */
const messageMembers =
	words(`createdTime sentTime messageUuid direction channelType trafficCenterId senderName destination content
	specialContent specialContent.text specialContent.contentType totalParts ttl hours days localSendTime localCompletionTime
	useLocalTime callbackEvents callbackUrl readStatus readStatusTime cascadeMessageUuid cascadeStep sendingMethod`);
const statedParts: Record<string, Partial<Record<string, string[]>>> = {
	'POST /v1/message': {
		// "Sending parameters named for POST /v1/message"
		body: words(
			`callbackUrl callbackEvents ttl hours days tags localCompletionTime useLocalTime shortUrl trafficType`,
		),
	},
	'GET /v1/message': {
		// "Filter parameters of GET /v1/message named in the revision history"
		query:
			words(`message_uuid external_message_id dispatch direction country_code ready_to_stop content_nor
			cascade_message_uuid root`),
		reply: messageMembers.map((name) => `items.${name}`),
	},
	'GET /v1/message/{id}': { reply: messageMembers },
	'POST /api/v1/verifier/widget/send': { body: ['key'] },
	// Filters that the revision history names.
	'GET /templates': { query: ['template_id'] },
	'GET /sender-names': { query: ['channel_type', 'country_code'] },
};

test.each(Object.values<Endpoint>(messaging))('$method $path: what is stated', (endpoint) => {
	const name = nameOf(endpoint);
	expect(endpoint.source === undefined).toBe(statedCalls.includes(name));
	for (const [part, fields] of Object.entries(partsOf(endpoint))) {
		const stated = fields.flatMap((field) => (field.source === undefined ? [field.name] : []));
		expect({ [part]: stated.sort() }).toEqual({ [part]: (statedParts[name]?.[part] ?? []).sort() });
	}
});

test('the partner API is stated, down to every field', () => {
	for (const endpoint of Object.values<Endpoint>(partner)) {
		const parts = Object.values(partsOf(endpoint)).flat();
		const others = parts.filter(({ source }) => source !== undefined);
		expect({ call: nameOf(endpoint), others, source: endpoint.source }).toEqual({
			call: nameOf(endpoint),
			others: [],
			source: undefined,
		});
	}
});

test('every source has a reason, and a set of values names only its own', () => {
	for (const { why } of Object.values(sources)) expect(why).toMatch(/\w/);
	for (const { known, sources: of } of [
		values.ListedStatus,
		values.SendingMethod,
		values.CodeStatus,
	]) {
		expect(known).toEqual(expect.arrayContaining(Object.keys(of)));
	}
});

test('docs/interface.md is what "npm run interface" writes, with every known value', () => {
	const document = interfaceDocument();
	expect(readFileSync(interfacePath, 'utf8')).toBe(document);
	for (const set of Object.values(values)) {
		if (!(typeof set === 'object' && 'known' in set)) continue;
		for (const value of set.known) expect(document).toContain(`\`${value}\``);
	}
});
