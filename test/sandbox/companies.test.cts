import { companyEndpoints } from '../../core/contract/company';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { createSandbox } from '../../sandbox/sandbox.cts';
import { day, hour, open, refusal } from './support.cts';

const { flowers } = demo.companies;
const pdf = new TextEncoder().encode('%PDF-1.7 test');
const jpg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2]);
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);

describe('POST /auth/token', () => {
	const logIn = (login: string, password: string) => ({ body: { login, password } });

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
	test('are created with 201, ACTIVE, and a plain budget comes back as an object', async () => {
		const { call } = open();
		const company = { name: 'New', counteragentType: 'LEGAL', counteragentInn: '77' } as const;
		const { companyId } = await call(partner.companyCreate, { body: { company, budget: 12.34 } });
		expect((await call(partner.companyList)).items.at(-1)).toEqual({
			companyId,
			name: 'New',
			counteragentName: 'New',
			counteragentInn: '77',
			status: 'ACTIVE',
			budget: { value: 12.34, currency: 'RUB' },
		});
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

	const aPdf = new Blob([pdf]);
	const aText = new Blob(['I am a picture'], { type: 'image/jpeg' });
	const json = { 'content-type': 'application/json' };
	const halfForm = { 'content-type': 'multipart/form-data; boundary=x' };

	test.each<[string, FormData | string, string, Record<string, string>?]>([
		['no part', formWith(), 'file: must be a file'],
		['text instead of a file', formWith(['file', 'text']), 'file: must be a file'],
		['another name', formWith(['document', aPdf, 'a.pdf']), 'file: must be a file'],
		['a JPG that is a text file', formWith(['file', aText, 'a.jpg']), 'file: must be a PDF'],
		['an empty file', formWith(['file', new Blob([]), 'a.pdf']), 'file: must be a PDF'],
		['two files', formWith(['file', aPdf, 'a'], ['file', aPdf, 'b']), 'file: was given 2 times'],
		['something else beside it', formWith(['file', aPdf, 'a.pdf'], ['note', 'x']), "'note'"],
		['JSON instead of a form', '{"file": "x"}', 'multipart/form-data', json],
		['a form that is broken', '--x\r\nbroken', 'form', halfForm],
	])('%s is refused', async (_, form, msg, headers = {}) => {
		expect(await upload(form, headers)).toEqual(says(msg));
	});
});
