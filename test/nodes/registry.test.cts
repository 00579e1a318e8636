import type { Endpoint } from '../../core/contract/endpoint';
import { endpointUrl } from '../../core/transport/request';
import { z } from '../../vendor/zod';
import { nodes, operationsOf } from './all.cts';

/** The names of a body at any depth, `schedule.hours`; entries of a list count as one. */
const namesIn = (value: unknown, place = ''): string[] => {
	if (Array.isArray(value)) return value.flatMap((entry) => namesIn(entry, place));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => {
		const own = place === '' ? name : `${place}.${name}`;
		return [own, ...namesIn(inner, own)];
	});
};

const namesOf = (schema: z.ZodTypeAny | undefined, place = ''): string[] => {
	if (schema instanceof z.ZodOptional) return namesOf(schema.unwrap() as z.ZodTypeAny, place);
	if (schema instanceof z.ZodEffects) return namesOf(schema.innerType() as z.ZodTypeAny, place);
	if (schema instanceof z.ZodArray) return namesOf(schema.element as z.ZodTypeAny, place);
	if (schema instanceof z.ZodUnion) {
		return (schema.options as z.ZodTypeAny[]).flatMap((one) => namesOf(one, place));
	}
	if (!(schema instanceof z.ZodObject)) return [];
	return Object.entries(schema.shape as z.ZodRawShape).flatMap(([name, inner]) => {
		const own = place === '' ? name : `${place}.${name}`;
		return [own, ...namesOf(inner, own)];
	});
};

describe.each(nodes)('$name', ({ resources, endpoints, rows, steps, baseUrl, logIn, asksOnce }) => {
	const operations = operationsOf({ resources });

	test.each(operations)('%s has a row, and one of its rows fails at the service', (operation) => {
		const own = rows.filter((row) => row.operation === operation);
		expect(own).not.toEqual([]);
		expect(own.filter(({ refused }) => refused !== undefined)).toHaveLength(
			asksOnce.includes(operation) ? 0 : 1,
		);
	});

	test('every operation has a step in test/e2e, which runs it in a real n8n', () => {
		const held = steps.map(({ operation }) => operation);
		expect(operations.filter((operation) => !held.includes(operation))).toEqual([]);
	});

	test('no row is about an operation that does not exist', () => {
		const named = rows.map(({ operation }) => operation);
		expect(named.filter((one) => !operations.includes(one))).toEqual([]);
	});

	/** Every row is also compared with the log-in that comes before it. */
	const requests = [...logIn, ...rows.flatMap(({ wire }) => wire)];
	const requestsOf = (endpoint: Endpoint) => {
		const ids = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'ID']);
		const path = new URL(endpointUrl(baseUrl, endpoint, Object.fromEntries(ids))).pathname;
		const pattern = new RegExp(`^${path.replaceAll('ID', '[^/]+')}$`);
		return requests.filter((one) => one.method === endpoint.method && pattern.test(one.path));
	};

	describe.each(Object.entries(endpoints))('the endpoint %s', (_, endpoint) => {
		test('is sent by a row that checks method, path, query and body', () => {
			expect(requestsOf(endpoint)).not.toEqual([]);
		});

		test('has all its query parameters sent by some row', () => {
			const sent = new Set(
				requestsOf(endpoint).flatMap(({ query = [] }) => query.map(([name]) => name)),
			);
			expect(namesOf(endpoint.query).filter((name) => !sent.has(name))).toEqual([]);
		});

		test('has all its body fields sent by some row', () => {
			const sent = new Set(
				requestsOf(endpoint)
					.flatMap(({ body }) => namesIn(body))
					// Several files have numbered names.
					.map((name) => name.replace(/^file\d$/, 'file')),
			);
			expect(namesOf(endpoint.body).filter((name) => !sent.has(name))).toEqual([]);
		});
	});
});
