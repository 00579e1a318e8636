import fc from 'fast-check';
import { encodeMultipart } from '../../core/transport/multipart';

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
	.filter((name) => !looksEscaped.test(name));

/** Reads a form with a parser that is not ours. */
const parse = async (encoded: ReturnType<typeof encodeMultipart>) =>
	await new Response(new Uint8Array(encoded.body), {
		headers: { 'content-type': encoded.contentType },
	}).formData();

const read = async (entry: FormDataEntryValue) => {
	if (typeof entry === 'string') throw new Error('the part is no file');
	const { name, type } = entry;
	return { filename: name, contentType: type, bytes: new Uint8Array(await entry.arrayBuffer()) };
};

it('a form is read back as it was', async () => {
	await fc.assert(
		fc.asyncProperty(filename, contentType, bytes, async (name, type, content) => {
			const file = { filename: name, contentType: type, bytes: content };

			const form = await parse(encodeMultipart({ file }));

			expect([...form.keys()]).toEqual(['file']);
			expect(await read(form.get('file') as FormDataEntryValue)).toEqual(file);
		}),
	);
});

it('several parts stay apart, whatever they hold', async () => {
	const file = fc.record({ filename, contentType, bytes });
	await fc.assert(
		fc.asyncProperty(file, file, async (first, second) => {
			const form = await parse(encodeMultipart({ first, second }));

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
			const encoded = encodeMultipart({
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

it('the boundary is another one every time', () => {
	const file = { filename: 'a', contentType: 'image/png', bytes: new Uint8Array() };
	const boundaries = Array.from({ length: 100 }, () => encodeMultipart({ file }).contentType);

	expect(new Set(boundaries).size).toBe(100);
});
