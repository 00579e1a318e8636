import { randomBytes } from 'node:crypto';
import { documentLimits } from '../../core/contract/company';
import { partner } from '../../core/contract/partner';
import { json, reset, text, type Received } from '../support/server.cts';
import { companyDocument, trySend } from './calls.cts';
import { asked, inOrder, partnerCredential, servePartner } from './service.cts';

const bytes = randomBytes(1024 * 1024);
const unauthorized = json(401, { error: { code: 4010, msg: 'Not Authenticated' } });
const created = json(201, companyDocument);

const upload = async (url: string, filename = 'a.pdf', content: Uint8Array = bytes) =>
	await trySend(partnerCredential(url, { token: 'expired-token' }), partner.documentUpload, {
		path: { id: 5 },
		body: { file: { filename, contentType: 'application/pdf', bytes: content } },
	});

/** Reads a form with a parser that is not ours. */
const readForm = async ({ body, headers }: Received) => {
	const contentType = headers['content-type'] ?? '';
	const form = await new Response(new Uint8Array(body), {
		headers: { 'content-type': contentType },
	}).formData();
	const entries = [...form];
	expect(entries.map(([name]) => name)).toEqual(['file']);
	const file = form.get('file');
	if (!(file instanceof File)) throw new Error('the part is no file');
	return {
		name: file.name,
		type: file.type,
		content: Buffer.from(await file.arrayBuffer()),
	};
};

it('arrives as it is', async () => {
	const service = await servePartner(() => created);
	const { reply } = await upload(service.url);
	expect(reply).toEqual(companyDocument);
	expect(asked(service.received)).toEqual(['POST /company/5/documents']);
	const [request] = service.calls as [Received];
	expect(request.headers['content-length']).toBe(String(request.body.length));
	expect(request.headers['transfer-encoding']).toBeUndefined();
	const file = await readForm(request);
	expect({ name: file.name, type: file.type }).toEqual({ name: 'a.pdf', type: 'application/pdf' });
	expect(file.content.equals(bytes)).toBe(true);
});

it('survives an expired token: the same bytes arrive again', async () => {
	const service = await servePartner(inOrder(unauthorized, created));

	const { reply } = await upload(service.url);

	expect(reply).toEqual(companyDocument);
	expect(asked(service.received)).toEqual([
		'POST /company/5/documents',
		'POST /auth/token',
		'POST /company/5/documents',
	]);
	const [first, second] = service.calls as [Received, Received];
	expect(second.headers.authorization).toBe('Bearer token-1');
	expect(second.body.equals(first.body)).toBe(true);
	expect(second.headers['content-type']).toBe(first.headers['content-type']);
	expect((await readForm(second)).content.equals(bytes)).toBe(true);
});

it('is repeated as it is after 429', async () => {
	const service = await servePartner(inOrder(text(429, ''), unauthorized, created));
	const { reply } = await upload(service.url);
	expect(reply).toEqual(companyDocument);
	const [first, second, third] = service.calls as [Received, Received, Received];
	expect(service.calls).toHaveLength(3);
	expect(second.body.equals(first.body)).toBe(true);
	expect(third.body.equals(first.body)).toBe(true);
});

it('is sent once when the connection is lost', async () => {
	const service = await servePartner(inOrder(reset, created));
	const { failure } = await upload(service.url);
	expect(failure?.outcome).toBe('unknown');
	expect(service.calls).toHaveLength(1);
});

it('ends when every token is refused', async () => {
	const service = await servePartner(() => unauthorized);
	const { failure } = await upload(service.url);
	expect(failure).toMatchObject({ outcome: 'refused', problem: { status: 401 } });
	expect(service.calls).toHaveLength(2);
});

it.each([
	['quotes', 'a "quoted" name.pdf'],
	['line breaks', 'a\r\nX-Injected: yes\r\n\r\nbody.pdf'],
	['Cyrillic', 'Договор № 5.pdf'],
	['an emoji', '👋.pdf'],
	['an apostrophe, a semicolon and an equals sign', "it's; filename=b.pdf"],
	['a backslash', 'C:\\documents\\a.pdf'],
])('keeps a file name with %s, and it adds no header', async (_, filename) => {
	const service = await servePartner(() => created);

	await upload(service.url, filename, Buffer.from('content'));

	const request = service.calls[0] as Received;
	const head = request.body.subarray(0, request.body.indexOf('\r\n\r\n')).toString();
	expect(head.split('\r\n').map((line) => line.split(':')[0])).toEqual([
		expect.stringMatching(/^--/),
		'Content-Disposition',
		'Content-Type',
	]);
	expect(await readForm(request)).toEqual({
		name: filename,
		type: 'application/pdf',
		content: Buffer.from('content'),
	});
});

it('an empty file arrives empty', async () => {
	const service = await servePartner(() => created);
	await upload(service.url, 'empty.pdf', new Uint8Array());
	expect((await readForm(service.calls[0] as Received)).content).toHaveLength(0);
});

it('refuses what the service would not take, before anything is sent', async () => {
	const service = await servePartner(() => created);
	const tooLarge = new Uint8Array(documentLimits.maxBytes + 1);
	const { failure } = await upload(service.url, 'large.pdf', tooLarge);
	expect(failure?.message).toContain('10 MB');
	expect(service.received).toHaveLength(0);
});
