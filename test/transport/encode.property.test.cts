import fc from 'fast-check';
import type { UploadFile } from '../../core/contract/company';
import { partner } from '../../core/contract/partner';
import { encodeBody } from '../../core/transport/request';

/** As the bytes and the header that are sent. */
const encode = async (parts: Record<string, UploadFile>) => {
	const { body, headers } = await encodeBody(partner.documentUpload, parts);
	if (!Buffer.isBuffer(body)) throw new Error('only bytes can be sent again');
	return { body, contentType: String(headers?.['Content-Type']) };
};

const bytes = fc.uint8Array({ maxLength: 300 });
const contentType = fc.constantFrom('application/pdf', 'image/jpeg', 'image/png');
/** The standard escapes three characters and not the escape itself: these names would not come back as they were. */
const looksEscaped = /%(?:22|0d|0a)/i;
const filename = fc
	.oneof(
		fc.string({ unit: 'binary', maxLength: 40 }),
		fc.string({
			unit: fc.constantFrom('"', '\r', '\n', '\\', ';', '=', "'", 'я', '-'),
			maxLength: 20,
		}),
	)
	.filter((name) => name !== '' && !looksEscaped.test(name));

const parse = async ({ body, contentType: type }: Awaited<ReturnType<typeof encode>>) =>
	await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();

const read = async (entry: FormDataEntryValue) => {
	if (typeof entry === 'string') throw new Error('the part is no file');
	const { name, type } = entry;
	return { filename: name, contentType: type, bytes: new Uint8Array(await entry.arrayBuffer()) };
};

it('a form is read back as it was', async () => {
	await fc.assert(
		fc.asyncProperty(filename, contentType, bytes, async (name, type, content) => {
			const file = { filename: name, contentType: type, bytes: content };
			const form = await parse(await encode({ file }));
			expect([...form.keys()]).toEqual(['file']);
			expect(await read(form.get('file') as FormDataEntryValue)).toEqual(file);
		}),
	);
});

it('several parts stay apart, whatever they hold', async () => {
	const file = fc.record({ filename, contentType, bytes });
	await fc.assert(
		fc.asyncProperty(file, file, async (first, second) => {
			const form = await parse(await encode({ first, second }));
			expect([...form.keys()]).toEqual(['first', 'second']);
			expect(await read(form.get('first') as FormDataEntryValue)).toEqual(first);
			expect(await read(form.get('second') as FormDataEntryValue)).toEqual(second);
		}),
	);
});

it('no content type adds a header or a part', async () => {
	const nasty = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.constantFrom('text/plain\r\nX-Injected: yes', 'a\r\n\r\n--b', '"', ''),
	);
	await fc.assert(
		fc.asyncProperty(nasty, bytes, async (type, content) => {
			const encoded = await encode({
				file: { filename: 'a', contentType: type, bytes: content },
			});
			const head = encoded.body.subarray(0, encoded.body.indexOf('\r\n\r\n')).toString();

			expect(head.split('\r\n')).toHaveLength(3);
			const form = await parse(encoded);
			expect([...form.keys()]).toEqual(['file']);
			expect((await read(form.get('file') as FormDataEntryValue)).bytes).toEqual(content);
		}),
	);
});

it('the boundary is another one every time', async () => {
	const file = { filename: 'a', contentType: 'image/png', bytes: new Uint8Array() };
	const forms = await Promise.all(Array.from({ length: 100 }, async () => await encode({ file })));
	const boundaries = forms.map(({ contentType: type }) => type);
	expect(new Set(boundaries).size).toBe(100);
});
