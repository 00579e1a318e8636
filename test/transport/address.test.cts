import { partnerEndpoint } from '../../core/contract/endpoint';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { z } from '../../vendor/zod';
import { json } from '../support/server.cts';
import { getDispatch, sender, trySend } from './calls.cts';
import { asked, messagingCredential, partnerCredential, serve, servePartner } from './service.cts';

/** The contract's ids are numbers; this one shows what becomes of any text. */
const thingParts = partnerEndpoint('GET', '/things/{id}/parts', {
	pathParams: z.object({ id: z.string() }),
	reply: z.object({}).passthrough(),
});

describe('base URL', () => {
	it.each([
		['', ''],
		['/', ''],
		['///', ''],
		['/partner', '/partner'],
		['/partner/', '/partner'],
		['/partner/v2///', '/partner/v2'],
	])('ending with "%s"', async (ending, prefix) => {
		const service = await servePartner(() => json(200, getDispatch.reply));
		const { reply } = await getDispatch.run(partnerCredential(`${service.url}${ending}`));
		expect(reply).toEqual(getDispatch.reply);
		expect(asked(service.received)).toEqual([
			`POST ${prefix}/auth/token`,
			`GET ${prefix}/dispatches/5`,
		]);
	});

	it('may have spaces around it', async () => {
		const service = await servePartner(() => json(200, getDispatch.reply));
		const { reply } = await getDispatch.run(partnerCredential(`  ${service.url}/ `));
		expect(reply).toEqual(getDispatch.reply);
	});

	it.each(['/api/v1', '/api/v1/', '/gateway/api/v1'])(
		'of the messaging API, ending with %s',
		async (ending) => {
			const server = await serve(() => json(200, { RUB: 12.5 }));
			await trySend(messagingCredential(`${server.url}${ending}`), messaging.balance, {});
			expect(asked(server.received)).toEqual([`GET ${ending.replace(/\/$/, '')}/balance`]);
		},
	);

	it.each([
		['', "isn't a valid URL"],
		['api.example.com', "isn't a valid URL"],
		['ftp://api.example.com', 'must start with https://'],
		['https://api.example.com?x=1', 'must not contain "?" or "#"'],
		['https://api.example.com/#top', 'must not contain "?" or "#"'],
	])('"%s" is told to be wrong', async (baseUrl, problem) => {
		const { failure } = await getDispatch.run(partnerCredential(baseUrl));
		expect(failure?.message).toContain(`'Base URL' in the credential ${problem}`);
		expect(failure?.description).toContain('Open the credential');
	});
});

describe('path parameters', () => {
	it.each([
		['a/b', 'a%2Fb'],
		['a?b=c', 'a%3Fb%3Dc'],
		['a#b', 'a%23b'],
		['a b', 'a%20b'],
		['50%', '50%25'],
		['%2e%2e', '%252e%252e'],
		['ключ', '%D0%BA%D0%BB%D1%8E%D1%87'],
		['👋', '%F0%9F%91%8B'],
		['a\r\nb', 'a%0D%0Ab'],
		['{id}', '%7Bid%7D'],
		['..a', '..a'],
		['...', '...'],
	])('%j stays one segment', async (id, segment) => {
		const service = await servePartner(() => json(200, {}));
		await trySend(partnerCredential(service.url), thingParts, { path: { id } });
		expect(asked(service.calls).map((line) => line.replaceAll('%2E', '.'))).toEqual([
			`GET /things/${segment}/parts`,
		]);
	});

	it.each(['.', '..'])('"%s" leads to no other path', async (id) => {
		const service = await servePartner(() => json(200, {}));

		await trySend(partnerCredential(service.url), thingParts, { path: { id } });

		// An address cannot hold such a segment in any spelling, so sending nothing is right too.
		expect(asked(service.calls)).not.toContain('GET /things/parts');
		expect(asked(service.calls)).not.toContain('GET /parts');
	});
});

describe('query parameters', () => {
	it('repeats a parameter for every value and leaves out what is not given', async () => {
		const service = await servePartner(() => json(200, [sender]));
		await trySend(partnerCredential(service.url), partner.senderList, {
			query: { companyId: 5, brand: ['MTS', 'TELE2'], commonType: [], status: undefined },
		});
		expect(asked(service.calls)).toEqual(['GET /senders?companyId=5&brand=MTS&brand=TELE2']);
	});

	it('encodes what would end a value', async () => {
		const service = await servePartner(() => json(200, []));
		const countryCode = ['a&b=c', 'x+y z', '#?/', 'Россия', '%20'];
		await trySend(partnerCredential(service.url), partner.senderList, {
			query: { companyId: 5, countryCode },
		});
		const { searchParams } = new URL(service.calls[0]?.url ?? '', service.url);
		expect([...searchParams]).toEqual([
			['companyId', '5'],
			...countryCode.map((value) => ['countryCode', value]),
		]);
	});

	it('names the page size per_page for companies only', async () => {
		const service = await servePartner(() =>
			json(200, { page: 2, perPage: 20, total: 0, items: [] }),
		);
		const credentials = partnerCredential(service.url);
		await trySend(credentials, partner.companyList, { query: { page: 2, per_page: 20 } });
		await trySend(credentials, partner.dispatchList, {
			query: { companyId: 5, page: 2, perPage: 20 },
		});
		expect(asked(service.calls)).toEqual([
			'GET /company?page=2&per_page=20',
			'GET /dispatches?companyId=5&page=2&perPage=20',
		]);
	});

	it('has no question mark when there is nothing to ask', async () => {
		const service = await servePartner(() => json(200, { tariffs: [] }));
		await trySend(partnerCredential(service.url), partner.tariffList, {
			query: { brand: undefined },
		});
		expect(asked(service.calls)).toEqual(['GET /price/tariffs']);
	});
});
