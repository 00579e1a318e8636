import { readFileSync } from 'node:fs';
import type { Endpoint } from '../../core/contract/endpoint';
import { partner } from '../../core/contract/partner';
import { sources } from '../../core/contract/provenance';
import * as values from '../../core/contract/values';
import { interfaceDocument, interfacePath, partsOf } from '../../scripts/interface.cts';
import { nameOf } from './support.cts';

/*
 * Which parts of the contract the specification states, which a public reference shows, and which are assumed. docs/interface.md
 * has all of them, call by call and field by field. It is the transcript: whoever changes a mark sees it there.
 */

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
