import type { ServerResponse } from 'node:http';
import { customEndpoint } from '../../core/contract/endpoint';
import { partner } from '../../core/contract/partner';
import { send } from '../../core/transport/send';
import { json, reset, text } from '../support/server.cts';
import { attempt } from '../support/transportNode.cts';
import { dispatch, quick, trySend } from './calls.cts';
import { asked, partnerCredential, servePartner } from './service.cts';

/** The reply to one call, and what was noted about it in the log of n8n. */
const getDispatch = async (reply: unknown) => {
	const service = await servePartner(() => json(200, reply));
	let noted: unknown[][] = [];
	const attempted = await attempt(partnerCredential(service.url), async (context) => {
		const warn = jest.spyOn(context.logger, 'warn').mockImplementation(() => undefined);
		try {
			return await send(context, partner.dispatchGet, { path: { id: 5 } }, { retry: quick });
		} finally {
			noted = [...warn.mock.calls];
			warn.mockRestore();
		}
	});
	return { ...attempted, noted, service };
};

describe('a reply', () => {
	it('as the contract has it is returned, and nothing is noted', async () => {
		const { reply, noted } = await getDispatch(dispatch);

		expect(reply).toEqual(dispatch);
		expect(noted).toEqual([]);
	});

	it('keeps the fields that the contract does not know', async () => {
		const more = { ...dispatch, tags: ['a'], messages: { ...dispatch.messages, read: 3 } };

		const { reply, noted } = await getDispatch(more);

		expect(reply).toEqual(more);
		expect(noted).toEqual([]);
	});

	it.each([
		['a status of another set', { ...dispatch, status: 'PAUSED' }, 'status'],
		['another type', { ...dispatch, priceEstimate: '1.5' }, 'priceEstimate'],
		['a field that is missing', { ...dispatch, name: undefined }, 'name'],
	])('with %s is returned as it is, and noted', async (_, odd, field) => {
		const { reply, noted, service } = await getDispatch(odd);

		expect(reply).toEqual(JSON.parse(JSON.stringify(odd)));
		expect(service.calls).toHaveLength(1);
		expect(noted).toHaveLength(1);
		expect(noted[0]?.[0]).toContain('GET /dispatches/{id}');
		expect(noted[0]?.[0]).toContain(`"${field}"`);
	});
});

describe('a reply to a call that the contract does not have', () => {
	it.each([
		['an object', json(200, { a: 1 }), { a: 1 }],
		['a list', json(200, [1, 2]), [1, 2]],
		['a text', text(200, 'PONG'), 'PONG'],
		['nothing', (_: unknown, response: ServerResponse) => response.writeHead(204).end(), ''],
	])('may be %s', async (_, answer, expected) => {
		const service = await servePartner(() => answer);

		const { reply } = await trySend(
			partnerCredential(service.url),
			customEndpoint('partner', 'POST', '/things/{5}'),
			{ query: { a: ['1', '2'] }, body: { b: 3 } },
		);

		expect(reply).toEqual(expected);
		expect(asked(service.calls)).toEqual(['POST /things/%7B5%7D?a=1&a=2']);
		expect(JSON.parse(String(service.calls[0]?.body))).toEqual({ b: 3 });
	});

	it.each([
		['GET', 4],
		['PUT', 4],
		['DELETE', 4],
		['POST', 1],
		['PATCH', 1],
	] as const)('%s is sent %d times when the connection is lost', async (method, times) => {
		const service = await servePartner(() => reset);

		const { failure } = await trySend(
			partnerCredential(service.url),
			customEndpoint('partner', method, '/things'),
			{},
		);

		expect(failure?.outcome).toBe('unknown');
		expect(service.calls).toHaveLength(times);
	});
});
