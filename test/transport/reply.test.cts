import { partner } from '../../core/contract/partner';
import { send } from '../../core/transport/send';
import { json } from '../support/server.cts';
import { attempt } from '../support/transportNode.cts';
import { dispatch, quick } from './calls.cts';
import { partnerCredential, servePartner } from './service.cts';

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
