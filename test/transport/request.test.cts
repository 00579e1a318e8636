import { messaging } from '../../core/contract/messaging';
import { WrittenBody } from '../../core/contract/endpoint';
import { partner } from '../../core/contract/partner';
import { json } from '../support/server.cts';
import { companyUpdated, dispatchCreated, sender, trySend } from './calls.cts';
import { messagingCredential, partnerCredential, serve, servePartner } from './service.cts';

describe('a request', () => {
	it('is sent as JSON, with every character as it was', async () => {
		const service = await servePartner(() => json(200, dispatchCreated));
		const body = {
			companyId: 5,
			name: 'Весна "2026" 👋\u2028\u0001',
			senderIds: [7],
			channelType: 'SMS',
			text: 'Hello {name}\r\n\\',
			messages: [
				{ destination: '79120000001', substitutions: { name: 'Анна', age: 5, vip: true } },
			],
		};

		await trySend(partnerCredential(service.url), partner.dispatchCreate, { body });

		expect(JSON.parse(String(service.calls[0]?.body))).toEqual(body);
		expect(service.calls[0]?.headers['content-type']).toBe('application/json');
	});

	it('with an empty object is sent with it', async () => {
		const service = await servePartner(() => json(200, companyUpdated));
		await trySend(partnerCredential(service.url), partner.companyUpdate, {
			path: { id: 5 },
			body: {},
		});
		expect(String(service.calls[0]?.body)).toBe('{}');
	});

	it('that is a list is sent as a list', async () => {
		const server = await serve(() => json(200, { errors: false, items: [] }));
		const body = [
			{ channelType: 'SMS', senderName: 'FIVE', destination: '79120000001', content: 'Hello' },
		];
		await trySend(messagingCredential(`${server.url}/api/v1`), messaging.messageSend, { body });
		expect(JSON.parse(String(server.received[0]?.body))).toEqual(body);
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
