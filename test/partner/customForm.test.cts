import type { INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { fileOnWire, jsonOf, linksOf, useSandbox } from '../support/sandbox.cts';
import { text } from '../support/server.cts';
import { partnerCredential, servePartner } from '../transport/service.cts';
import { inMemory, itemWith, pdf, png } from './table/files.cts';

const bench = useSandbox();
const path = `/company/${demo.companies.flowers}/documents`;
const base = { method: 'POST', path, bodyType: 'form' };

const fields = (...pairs: Array<[string, string]>): INodeParameters => ({
	parameter: pairs.map(([name, value]) => ({ name, value })),
});

const upload = async (
	parameters: INodeParameters = {},
	inputItems = [itemWith(inMemory(pdf, 'a.pdf'))],
) => await bench.run('customCall.call', { ...base, ...parameters }, { inputItems });

const bodies = async () => (await bench.wire()).map(({ body }) => body);
const documents = () => [...bench.store.documents.values()];

test('a file is sent as the form that Document: Upload sends', async () => {
	const { items, error } = await upload();

	expect(error).toBeUndefined();
	expect(await bench.wire()).toEqual([
		{ method: 'POST', path, body: { file: fileOnWire('a.pdf', 'application/pdf', pdf) } },
	]);
	expect(documents()).toMatchObject([{ filename: 'a.pdf', size: pdf.byteLength }]);
	expect(jsonOf(items)).toMatchObject([{ filename: 'a.pdf' }]);
	expect(linksOf(items)).toEqual([0]);
});

test('another name for the file, and further fields', async () => {
	await upload({
		partName: 'scan',
		formFields: fields(['type', 'charter'], ['empty', ''], ['', 'nameless'], ['ж', 'a&b=c "d"']),
	});

	expect(await bodies()).toEqual([
		{
			type: 'charter',
			empty: '',
			ж: 'a&b=c "d"',
			scan: fileOnWire('a.pdf', 'application/pdf', pdf),
		},
	]);
});

test('a field that is given twice is sent twice', async () => {
	await upload({ formFields: fields(['tag', 'one'], ['tag', 'two']) });

	const [request] = bench.recorded.filter(({ url }) => url.endsWith('/documents'));
	const form = request?.body.toString('latin1') ?? '';
	expect(form.match(/name="tag"/g)).toHaveLength(2);
});

test.each(['__proto__', 'constructor'])('a field called %s is one like any other', async (name) => {
	const { error } = await upload({ formFields: { parameter: [{ name, value: 'x' }] } });

	expect(error?.message ?? '').not.toContain('is not a function');
	const [request] = bench.recorded.filter(({ url }) => url.endsWith('/documents'));
	expect(request?.body.includes(`name="${name}"\r\n\r\nx`)).toBe(true);
});

test('no name and no value becomes a header or a part of its own', async () => {
	const odd = 'a"\r\nX-Injected: 1\r\n\r\nb';
	await upload({ partName: odd, formFields: fields([`${odd}2`, odd]) });

	const [request] = bench.recorded.filter(({ url }) => url.endsWith('/documents'));
	const boundary = /boundary=(.+)$/.exec(request?.headers['content-type'] ?? '')?.[1] ?? '?';
	const parts = (request?.body.toString('latin1') ?? '').split(`--${boundary}`).slice(1, -1);
	expect(parts).toHaveLength(2);
	for (const part of parts) expect(part.split('\r\n\r\n')[0]).not.toMatch(/^X-Injected/m);
});

test.each([
	['the type of the content, whatever the node before says', pdf, 'text/plain', 'application/pdf'],
	['the type that n8n knows', Buffer.from('a,b'), 'text/csv', 'text/csv'],
	['an empty file', Buffer.alloc(0), 'text/csv', 'text/csv'],
])('%s', async (_, bytes, mimeType, type) => {
	await upload({}, [itemWith(inMemory(bytes, 'list', mimeType))]);

	expect(await bodies()).toEqual([{ file: fileOnWire('list', type, bytes) }]);
});

test('a file without a name is a file nevertheless', async () => {
	await upload({}, [itemWith(inMemory(png, undefined))]);

	expect(await bodies()).toEqual([{ file: fileOnWire('file', 'image/png', png) }]);
});

test('each item sends its own file', async () => {
	await upload({ binaryPropertyName: '={{ $json.field }}' }, [
		{ json: { field: 'one' }, binary: { one: inMemory(pdf, '1.pdf') } },
		{ json: { field: 'two' }, binary: { two: inMemory(png, '2.png') } },
	]);

	expect(await bodies()).toEqual([
		{ file: fileOnWire('1.pdf', 'application/pdf', pdf) },
		{ file: fileOnWire('2.png', 'image/png', png) },
	]);
});

describe('nothing is sent', () => {
	test.each<[string, INodeParameters, string]>([
		['no such field in the item', { binaryPropertyName: 'scan' }, "binary field 'scan'"],
		['the field is empty', { binaryPropertyName: '={{ "" }}' }, "'Input Binary Field' is empty"],
		['the file has no name in the form', { partName: '={{ "" }}' }, "'File Field Name' is empty"],
		[
			'a field has the name of the file',
			{ formFields: fields(['file', 'x']) },
			'\'Form Fields\' contains "file"',
		],
	])('%s', async (_, parameters, message) => {
		const { error } = await upload(parameters);

		expect(error?.message).toContain(message);
		expect(await bench.everything()).toEqual([]);
	});

	test('because a later item has no file', async () => {
		const { error } = await upload({}, [itemWith(inMemory(pdf, 'a.pdf')), { json: {} }]);

		expect(error?.message).toContain("binary file 'data'");
		expect(await bench.everything()).toEqual([]);
	});
});

describe('once', () => {
	test('a POST whose outcome is not known is not sent again, with Retry On Fail neither', async () => {
		bench.sandbox.faults.add({ kind: 'commit-then-reset', match: { path: '*/documents' } });
		const inputItems = [itemWith(inMemory(pdf, 'a.pdf'))];
		const { error } = await bench.run('customCall.call', base, { inputItems, tries: 3 });

		expect(error?.description).toContain('It is not known whether the service carried this out');
		expect(bench.sent('POST', path)).toBe(1);
		expect(documents()).toHaveLength(1);
	});

	test('after a log-in that has expired the same bytes are sent again', async () => {
		const token = await bench.sandbox.client().logIn();
		for (const known of bench.store.tokens.values()) known.expiresAt = bench.sandbox.now;
		const { error } = await bench.run('customCall.call', base, {
			inputItems: [itemWith(inMemory(pdf, 'a.pdf'))],
			credentials: bench.credentials({ token }),
		});

		expect(error).toBeUndefined();
		const [first, second] = await bodies();
		expect(second).toEqual(first);
		expect(documents()).toHaveLength(1);
	});
});

test('the form of an earlier choice is not sent with GET or DELETE, even if the method is an expression', async () => {
	for (const method of ['GET', 'DELETE']) {
		await upload({ method: `={{ "${method}" }}` }, [{ json: {} }]);
	}

	expect(await bench.wire()).toEqual([
		{ method: 'GET', path },
		{ method: 'DELETE', path },
	]);
});

test('None sends no body, whatever was written as JSON before', async () => {
	await upload({ bodyType: 'none', body: '{ "a": 1 }' });

	expect(await bodies()).toEqual([undefined]);
});

test('a workflow that was saved without a body type sends its JSON as before', async () => {
	await bench.run('customCall.call', { method: 'POST', path: '/company', body: '{ "a": 1 }' });

	expect(await bodies()).toEqual([{ a: 1 }]);
});

test('204 is an item that says so', async () => {
	const server = await servePartner(() => text(204, ''));
	const { items, error } = await bench.run('customCall.call', base, {
		inputItems: [itemWith(inMemory(pdf, 'a.pdf'))],
		credentials: partnerCredential(server.url),
	});

	expect(error).toBeUndefined();
	expect(jsonOf(items)).toEqual([{ answer: null, accepted: true }]);
	expect(server.calls).toHaveLength(1);
});
