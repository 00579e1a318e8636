import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { createSandbox } from '../../sandbox/sandbox.cts';
import { hour, open, refusal } from './support.cts';

describe('POST /auth/token', () => {
	const logIn = (login: string, password: string) => ({ body: { login, password } });

	test('a token expires with time', async () => {
		const sandbox = createSandbox();
		const { call } = sandbox.client();
		await call(partner.companyList);
		await sandbox.advance(hour - 1);
		await call(partner.companyList);
		await sandbox.advance(1);
		expect(await refusal(call(partner.companyList))).toMatchObject({ status: 401, code: 4010 });
	});

	test('tokens die with a password change, and the new password gives new ones', async () => {
		const { call, control, forgetToken } = open();
		await call(partner.companyList);
		await control('PUT', '/password', { password: 'another' });
		expect(await refusal(call(partner.companyList))).toMatchObject({ status: 401 });
		forgetToken();
		expect(await refusal(call(partner.token, logIn(demo.login, demo.password)))).toMatchObject({
			code: 4012,
		});
		expect((await call(partner.token, logIn(demo.login, 'another'))).token).toBeTruthy();
	});

	test('tokens can be made to expire, and two live side by side', async () => {
		const { call, control } = open();
		const first = await call(partner.token, logIn(demo.login, demo.password));
		const second = await call(partner.token, logIn(demo.login, demo.password));
		expect(first.token).not.toBe(second.token);
		await call(partner.companyList);
		expect(await control('POST', '/tokens/expire')).toEqual({ expired: 3 });
		expect(await refusal(call(partner.companyList))).toMatchObject({ status: 401 });
	});
});
