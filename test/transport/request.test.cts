import { WrittenBody } from '../../core/contract/endpoint';
import { partner } from '../../core/contract/partner';
import { InvalidRequestError } from '../../core/transport/outcome';
import { encodeBody } from '../../core/transport/request';
import { checkRequest } from '../../core/transport/send';
import { json } from '../support/server.cts';
import { companyUpdated, sender, trySend } from './calls.cts';
import { partnerCredential, servePartner } from './service.cts';

describe('a request', () => {
	it.each([
		['a path', partner.dispatchGet, {}],
		['a body', partner.companyCreate, {}],
		['a query that is wrong', partner.companyList, { query: { page: 'first' } }],
	])('%s: rejected before anything is sent', (_, endpoint, request) => {
		expect(() => checkRequest(endpoint, request)).toThrow(InvalidRequestError);
	});

	it('a query may be missing', () => {
		expect(() => checkRequest(partner.companyList, {})).not.toThrow();
	});

	it('a call that has no body sends none, whatever it is given', async () => {
		expect(await encodeBody(partner.dispatchGet, { id: 5 })).toEqual({});
	});

	it('with an empty object is sent with it', async () => {
		const service = await servePartner(() => json(200, companyUpdated));
		await trySend(partnerCredential(service.url), partner.companyUpdate, {
			path: { id: 5 },
			body: {},
		});
		expect(String(service.calls[0]?.body)).toBe('{}');
	});

	it.each([
		['without a body where one may be left out', partner.senderSuspend],
		['without a body where there is none', partner.senderUnsuspend],
	])('%s', async (_, endpoint) => {
		const service = await servePartner(() => json(200, sender));
		const { reply } = await trySend(partnerCredential(service.url), endpoint, { path: { id: 5 } });
		expect(reply).toEqual(sender);
		expect(service.calls[0]?.body).toHaveLength(0);
		expect(service.calls[0]?.headers['content-type']).toBeUndefined();
	});

	it('that is wrong is not sent, and the field is named', async () => {
		const service = await servePartner(() => json(200, companyUpdated));
		const { failure } = await trySend(partnerCredential(service.url), partner.companyUpdate, {
			path: { id: -1 },
			body: { budget: -5 },
		});
		expect(failure?.name).toBe('InvalidRequestError');
		expect(failure?.message).toContain('id: ');
		expect(failure?.message).toContain('budget: must not be below 0');
		expect(service.received).toHaveLength(0);
	});

	it('that was checked before is not checked again', async () => {
		const service = await servePartner(() => json(200, companyUpdated));
		await trySend(partnerCredential(service.url), partner.companyUpdate, {
			path: { id: 5 },
			body: new WrittenBody({ budget: -5 }),
		});
		expect(JSON.parse(String(service.calls[0]?.body))).toEqual({ budget: -5 });
	});
});
