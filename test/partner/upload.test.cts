import { createRequire } from 'node:module';
import { BinaryDataService, setBinaryDataBuffer } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';
import { documentLimits } from '../../core/contract/company';
import { demo } from '../../sandbox/demo.cts';
import { byId, fileOnWire, linksOf, useSandbox } from '../support/sandbox.cts';
import { inMemory, itemWith, jpg, pdf, png } from './table/files.cts';

const bench = useSandbox();
const { flowers } = demo.companies;
const path = `/company/${flowers}/documents`;

const upload = async (data: IBinaryData, more = {}, credentials = bench.credentials()) =>
	await bench.run(
		'document.upload',
		{ companyId: byId(flowers), ...more },
		{ inputItems: [itemWith(data)], credentials },
	);

const documents = () => [...bench.store.documents.values()];

/** The container n8n-core itself uses; another copy of the package would hold other services. */
const { Container } = createRequire(require.resolve('n8n-core'))('@n8n/di') as {
	Container: { get<T>(type: new (...args: never[]) => T): T };
};

/** As n8n writes files of an execution when it keeps them on disk. */
const onDisk = async (bytes: Buffer, fileName: string): Promise<IBinaryData> => {
	await Container.get(BinaryDataService).init();
	const empty: IBinaryData = { data: '', mimeType: 'application/octet-stream', fileName };
	const stored = await setBinaryDataBuffer(empty, bytes, 'w1', 'e1');
	expect(stored.id).toMatch(/^filesystem-v2:/);
	expect(stored.data).toBe('filesystem-v2');
	return stored;
};

const expiredToken = async () => {
	const token = await bench.sandbox.client().logIn();
	for (const known of bench.store.tokens.values()) known.expiresAt = bench.sandbox.now;
	return token;
};

describe.each([
	['from memory', async (bytes: Buffer, name: string) => inMemory(bytes, name)],
	["from n8n's filesystem mode", onDisk],
])('%s', (_, store) => {
	test('the same bytes arrive', async () => {
		const { error } = await upload(await store(pdf, 'letter.pdf'));
		expect(error).toBeUndefined();
		expect(await bench.wire()).toEqual([
			{ method: 'POST', path, body: { file: fileOnWire('letter.pdf', 'application/pdf', pdf) } },
		]);
		expect(documents()).toMatchObject([{ size: pdf.byteLength, contentType: 'application/pdf' }]);
	});

	test('with an expired token: a new log-in, the same bytes again, one document', async () => {
		const token = await expiredToken();
		const { error } = await upload(
			await store(png, 'letter.png'),
			{},
			bench.credentials({ token }),
		);
		expect(error).toBeUndefined();
		const sent = {
			method: 'POST',
			path,
			body: { file: fileOnWire('letter.png', 'image/png', png) },
		};
		const logIn = expect.objectContaining({ path: '/auth/token' }) as unknown;
		expect(await bench.everything()).toEqual([sent, logIn, sent]);
		expect(documents()).toMatchObject([{ filename: 'letter.png', size: png.byteLength }]);
	});
});

describe('the type is found from the content', () => {
	test.each([
		['a JPG named .txt', jpg, 'photo.txt', 'image/jpeg'],
		['a PNG named .pdf', png, 'scan.pdf', 'image/png'],
		['a PDF without an ending', pdf, 'contract', 'application/pdf'],
	])('%s passes as what it is', async (_, bytes, name, type) => {
		const { error } = await upload(inMemory(bytes, name, 'text/plain'));
		expect(error).toBeUndefined();
		expect((await bench.wire())[0]?.body).toEqual({ file: fileOnWire(name, type, bytes) });
	});

	test.each([
		['a text named .pdf', Buffer.from('Just words'), 'contract.pdf'],
		['an empty file', Buffer.alloc(0), 'contract.pdf'],
		['a GIF', Buffer.from('GIF89a......'), 'photo.jpg'],
		['the beginning of a signature', png.subarray(0, 4), 'cut.png'],
	])('%s is refused before anything is sent', async (_, bytes, name) => {
		const { error } = await upload(inMemory(bytes, name, 'application/pdf'));
		expect(error?.message).toMatch(
			/^'Input Binary Field' needs a PDF, JPG or PNG file, but "data" contains/,
		);
		expect(error?.description).toBe('Nothing was done.');
		expect(error?.context?.item).toBe(1);
		expect(await bench.everything()).toEqual([]);
	});
});

describe('the size', () => {
	const fileOf = (size: number) => Buffer.concat([pdf, Buffer.alloc(size - pdf.byteLength, 7)]);

	test('10 MB exactly pass', async () => {
		const { error } = await upload(inMemory(fileOf(documentLimits.maxBytes), 'large.pdf'));
		expect(error).toBeUndefined();
		expect(documents()).toMatchObject([{ size: 10 * 1024 * 1024 }]);
	});

	test('one byte more is refused before anything is sent', async () => {
		const { error } = await upload(inMemory(fileOf(documentLimits.maxBytes + 1), 'large.pdf'));
		expect(error?.message).toMatch(
			/^'Input Binary Field' needs a file of at most 10 MB, but the file in "data" has/,
		);
		expect(error?.context?.item).toBe(1);
		expect(await bench.everything()).toEqual([]);
	});
});

describe('the name of the file', () => {
	test.each([
		['the one of the parameter', 'old.pdf', { filename: 'new name.pdf' }, 'new name.pdf'],
		['the one the file has', 'old.pdf', {}, 'old.pdf'],
		['one made from the type', undefined, {}, 'document.pdf'],
		['any alphabet', 'Доверенность №1.pdf', {}, 'Доверенность №1.pdf'],
	])('%s', async (_, fileName, more, expected) => {
		const { error } = await upload(inMemory(pdf, fileName), more);
		expect(error).toBeUndefined();
		expect(documents().map(({ filename }) => filename)).toEqual([expected]);
	});
});

test('another field of the item', async () => {
	const item = { json: {}, binary: { scan: inMemory(png, 'scan.png') } };
	const parameters = { companyId: byId(flowers), binaryPropertyName: '={{ "scan" }}' };
	const { error } = await bench.run('document.upload', parameters, { inputItems: [item] });
	expect(error).toBeUndefined();
	expect(documents()).toHaveLength(1);
});

test('an item without a file: says so with its index, and the others are uploaded', async () => {
	const inputItems = [
		itemWith(inMemory(pdf, 'a.pdf')),
		{ json: {} },
		itemWith(inMemory(png, 'b.png')),
	];
	const { items } = await bench.run(
		'document.upload',
		{ companyId: byId(flowers) },
		{ inputItems, onError: 'continueRegularOutput' },
	);
	expect(linksOf(items)).toEqual([0, 1, 2]);
	expect(String(items[1]?.json.error)).toContain("binary file 'data'");
	expect(documents().map(({ filename }) => filename)).toEqual(['a.pdf', 'b.png']);
});

describe('several files', () => {
	const run = async (...files: Buffer[]) =>
		await bench.run(
			'document.upload',
			{ companyId: byId(flowers) },
			{ inputItems: files.map((bytes, index) => itemWith(inMemory(bytes, `${index}`))) },
		);

	test('one that is no document is reported after the others are uploaded', async () => {
		const { error } = await run(pdf, png, Buffer.from('Just words'));
		expect(error?.message).toBe('2 documents uploaded, 1 not: item 3');
		expect(error?.description).toContain(
			'run this again with only them. If you run this again with all items, items 1 and 2 are done twice.',
		);
		expect((await bench.wire()).length).toBe(2);
	});

	test('each is sent with its own bytes', async () => {
		const { error } = await run(pdf, png, jpg);
		expect(error).toBeUndefined();
		expect((await bench.wire()).map(({ body }) => body)).toEqual([
			{ file: fileOnWire('0', 'application/pdf', pdf) },
			{ file: fileOnWire('1', 'image/png', png) },
			{ file: fileOnWire('2', 'image/jpeg', jpg) },
		]);
	});
});
