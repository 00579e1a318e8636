import { companyEndpoints } from '../../core/contract/company';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { createSandbox } from '../../sandbox/sandbox.cts';
import { day, hour, open, refusal } from './support.cts';

// Large inputs take a while on a busy machine.
const { flowers } = demo.companies;
const pdf = new TextEncoder().encode('%PDF-1.7 test');
const jpg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2]);
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);

describe('POST /auth/token', () => {
	const logIn = (login: string, password: string) => ({ body: { login, password } });

	test('gives a token that works', async () => {
		const { call } = open();
		const { token } = await call(partner.token, logIn(demo.login, demo.password));
		expect(token).not.toBe('');
		expect((await call(partner.companyList)).total).toBe(3);
	});

	test.each([
		[demo.login, 'wrong'],
		['wrong', demo.password],
	])('refuses %s / %s', async (login, password) => {
		const { call } = open();
		expect(await refusal(call(partner.token, logIn(login, password)))).toMatchObject({
			status: 401,
			code: 4012,
		});
	});

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

	test.each(['', 'Bearer', 'Bearer nonsense', 'Basic nonsense', 'Token x'])(
		'%j is no authorization',
		async (authorization) => {
			const { sandbox } = open();
			const response = await sandbox.fetch(`${sandbox.urls.partnerUrl}/company`, {
				headers: { authorization },
			});
			expect(response.status).toBe(401);
		},
	);
});

describe('companies', () => {
	const company = {
		name: 'New',
		counteragentType: 'LEGAL',
		counteragentInn: '7712345678',
	} as const;

	test('are created with 201, ACTIVE, and a plain budget comes back as an object', async () => {
		const { call } = open();
		const { companyId } = await call(partner.companyCreate, { body: { company, budget: 12.34 } });
		const { items } = await call(partner.companyList);
		expect(items.at(-1)).toEqual({
			companyId,
			name: 'New',
			counteragentName: 'New',
			counteragentInn: '7712345678',
			status: 'ACTIVE',
			budget: { value: 12.34, currency: 'RUB' },
		});
	});

	test('without a budget have none', async () => {
		const { call } = open();
		const { companyId } = await call(partner.companyCreate, { body: { company } });
		const { items } = await call(partner.companyList);
		expect(items.find((one) => one.companyId === companyId)?.budget).toBeNull();
	});

	test('are listed by page and per_page, ten at a time by default', async () => {
		const { call } = open({ seed: 'empty' });
		for (let count = 0; count < 23; count++)
			await call(partner.companyCreate, { body: { company } });
		const first = await call(partner.companyList);
		expect(first).toMatchObject({ page: 1, perPage: 10, total: 23 });
		expect(first.items).toHaveLength(10);
		const third = await call(partner.companyList, { query: { page: 3 } });
		expect(third.items).toHaveLength(3);
		const behind = await call(partner.companyList, { query: { page: 4 } });
		expect(behind).toMatchObject({ page: 4, total: 23, items: [] });
		const all = await call(partner.companyList, { query: { page: 1, per_page: 23 } });
		expect(all.items.map(({ companyId }) => companyId)).toEqual(
			Array.from({ length: 23 }, (_, index) => 101 + index),
		);
		const two = await call(partner.companyList, { query: { page: 2, per_page: 22 } });
		expect(two.items).toHaveLength(1);
	});

	test('a page size above the limit, where there is one, is cut and said so', async () => {
		const { call, control } = open();
		await control('PUT', '/settings', { dialect: { pageSize: { most: 2 } } });
		const { perPage, items } = await call(partner.companyList, { query: { per_page: 50 } });
		expect([perPage, items.length]).toEqual([2, 2]);
	});

	test('only what is sent changes', async () => {
		const { sandbox, call } = open();
		await sandbox.advance(day);
		const { updatedAt } = await call(partner.companyUpdate, {
			path: { id: flowers },
			body: { name: 'Renamed', status: 'DISABLED' },
		});
		expect(Date.parse(updatedAt)).toBe(sandbox.now);
		const { items } = await call(partner.companyList);
		expect(items[0]).toMatchObject({
			name: 'Renamed',
			counteragentName: 'Camomile Flowers LLC',
			status: 'DISABLED',
			budget: { value: 50_000 },
		});
	});

	test('the budget can be changed, and 0 is a budget', async () => {
		const { call } = open();
		await call(partner.companyUpdate, { path: { id: flowers }, body: { budget: 0 } });
		expect((await call(partner.companyList)).items[0].budget).toEqual({
			value: 0,
			currency: 'RUB',
		});
	});
});

describe('documents', () => {
	test.each([
		['a.pdf', pdf, 'application/pdf'],
		['b.jpg', jpg, 'image/jpeg'],
		['Устав.png', png, 'image/png'],
	])('%s is stored and listed', async (filename, bytes, contentType) => {
		const { call } = open();
		const file = { filename, contentType, bytes };
		const document = await call(companyEndpoints.documentUpload, {
			path: { id: flowers },
			body: { file },
		});
		expect(document).toMatchObject({ companyId: flowers, filename });
		const list = await call(companyEndpoints.documentList, { path: { id: flowers } });
		expect(list).toEqual([document]);
		const others = await call(companyEndpoints.documentList, {
			path: { id: demo.companies.bakery },
		});
		expect(others).toEqual([]);
	});

	test('10 MB are taken', async () => {
		const { call } = open();
		const bytes = new Uint8Array(10 * 1024 * 1024);
		bytes.set(pdf);
		const file = { filename: 'full.pdf', contentType: 'application/pdf', bytes };
		await call(companyEndpoints.documentUpload, { path: { id: flowers }, body: { file } });
	});

	const upload = async (form: FormData | string, headers?: Record<string, string>) => {
		const { sandbox, call } = open();
		const { token } = await call(partner.token, {
			body: { login: demo.login, password: demo.password },
		});
		const response = await sandbox.fetch(
			`${sandbox.urls.partnerUrl}/company/${flowers}/documents`,
			{
				method: 'POST',
				headers: { authorization: `Bearer ${token}`, ...headers },
				body: form,
			},
		);
		expect(sandbox.world.store.documents.size).toBe(0);
		expect(response.status).toBe(400);
		const body: unknown = await response.json();
		return body;
	};
	const formWith = (...parts: Array<[name: string, value: string | Blob, filename?: string]>) => {
		const form = new FormData();
		for (const [name, value, filename] of parts) {
			if (typeof value === 'string') form.append(name, value);
			else form.append(name, value, filename);
		}
		return form;
	};
	const says = (msg: string) => ({
		error: { code: 4000, msg: expect.stringContaining(msg) as string },
	});

	test('10 MB and one byte are not', async () => {
		const bytes = new Uint8Array(10 * 1024 * 1024 + 1);
		bytes.set(pdf);
		expect(await upload(formWith(['file', new Blob([bytes]), 'a.pdf']))).toEqual(
			says('file: must not be larger than 10 MB'),
		);
	});

	test('a JPG that is a text file is not, whatever it calls itself', async () => {
		const text = new Blob(['I am a picture'], { type: 'image/jpeg' });
		expect(await upload(formWith(['file', text, 'a.jpg']))).toEqual(says('file: must be a PDF'));
	});

	test('an empty file is not', async () => {
		expect(await upload(formWith(['file', new Blob([]), 'a.pdf']))).toEqual(
			says('file: must be a PDF'),
		);
	});

	test.each<[string, FormData, string]>([
		['no part', formWith(), 'file: must be a file'],
		['text instead of a file', formWith(['file', 'text']), 'file: must be a file'],
		['another name', formWith(['document', new Blob([pdf]), 'a.pdf']), 'file: must be a file'],
		[
			'two files',
			formWith(['file', new Blob([pdf]), 'a.pdf'], ['file', new Blob([pdf]), 'b.pdf']),
			'file: was given 2 times',
		],
		[
			'something else beside it',
			formWith(['file', new Blob([pdf]), 'a.pdf'], ['note', 'x']),
			"'note'",
		],
	])('%s', async (_, form, msg) => {
		expect(await upload(form)).toEqual(says(msg));
	});

	test('JSON instead of a form, and a form that is broken', async () => {
		expect(await upload('{"file": "x"}', { 'content-type': 'application/json' })).toEqual(
			says('multipart/form-data'),
		);
		expect(
			await upload('--x\r\nbroken', { 'content-type': 'multipart/form-data; boundary=x' }),
		).toEqual(says('form'));
	});
});
