import { messaging } from '../../core/contract/messaging';
import { json } from '../support/server.cts';
import { getDispatch, trySend } from './calls.cts';
import { asked, messagingCredential, partnerCredential, serve, servePartner } from './service.cts';

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
