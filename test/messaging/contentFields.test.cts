import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf } from '../support/n8n.cts';
import { useMessaging } from './messages.cts';

/** Content without JSON: names and values, typed, nested by dots. */

const bench = useMessaging();
type Row = { name?: string; type?: string; value?: string };
const parametersOf = (field: Row[]): INodeParameters => ({
	channelType: 'VIBER',
	senderName: demo.senderNames.viber,
	destination: demo.numbers.mts,
	contentFormat: 'fields',
	contentFields: { field },
});
const send = async (field: Row[], items: IDataObject[] = [{ name: 'Anna' }]) =>
	await bench.run('message.send', parametersOf(field), { items });
const sent = async () =>
	(await bench.wire()).flatMap(({ body }) => (body ?? []) as IDataObject[])[0]?.content;

test('every type, nested by dots, placeholders in texts', async () => {
	await send([
		{ name: 'contentType', value: 'button' },
		{ name: 'text', type: 'text', value: 'Hello {name}' },
		{ name: 'button.url', type: 'text', value: 'https://example.com/?a=1' },
		{ name: 'button.size', type: 'number', value: '2.5' },
		{ name: 'button.isBold', type: 'boolean', value: 'true' },
		{ name: 'images', type: 'json', value: '["a", {"b": null}]' },
	]);
	expect(await sent()).toEqual({
		contentType: 'button',
		text: 'Hello Anna',
		button: { url: 'https://example.com/?a=1', size: 2.5, isBold: true },
		images: ['a', { b: null }],
	});
});

test('a step of a cascade has the same', async () => {
	const { channelType, senderName, destination, ...content } = parametersOf([
		{ name: 'text', value: 'Hello {name}' },
		{ name: 'title', value: 'News' },
	]);
	await bench.run(
		'message.sendCascade',
		{ destination, cascade: { step: [{ channelType, senderName, ...content }] } },
		{ items: [{ name: 'Anna' }] },
	);
	const [body] = (await bench.wire()).flatMap(({ body: one }) => (one ?? []) as IDataObject[]);
	expect(body).toMatchObject({ cascade: [{ content: { text: 'Hello Anna', title: 'News' } }] });
});

const typed = (type: string, value: string) => ({ name: 'a', type, value });
test.each<[string, Row[], string]>([
	['no field', [], 'is empty. Add at least one field'],
	['no name', [{ name: ' ', value: 'x' }], 'contains the field name'],
	['an empty part', [{ name: 'a..b', value: 'x' }], 'contains the field name'],
	['the prototype', [{ name: '__proto__.polluted', value: 'x' }], 'contains the field name'],
	['no number', [typed('number', '1,5')], '"a", which must be a number'],
	['a number that would be rounded', [typed('number', '12345678901234567890')], 'must be a number'],
	['a hexadecimal number', [typed('number', '0x1F')], 'must be a number'],
	['an empty text', [{ name: 'text', value: ' ' }], "'Content Fields' is empty after"],
	['an empty number', [typed('number', ' ')], '"a", which must be a number'],
	['neither yes nor no', [typed('boolean', 'ja')], '"a", which must be true or false'],
	['broken JSON', [typed('json', '{')], `"a", which isn't valid JSON`],
	['twice', [typed('text', '1'), typed('text', '2')], 'contains the field "a" twice'],
	[
		'a value with fields below it',
		[typed('text', '1'), { name: 'a.b', value: '2' }],
		'"a" already has a value',
	],
	['an expression in a fixed text', [{ name: 'a', value: '{{ $json.name }}' }], 'expression'],
	['a placeholder without a value', [{ name: 'a', value: '{nobody}' }], '{nobody}'],
])('refused before anything is sent: %s', async (_, field, words) => {
	const { error } = await send(field);
	expect(error?.message).toContain(words);
	expect(await bench.everything()).toEqual([]);
});

test('braces in a row of JSON reach the phone, and a hint says so', async () => {
	const result = await send([
		{ name: 'text', value: 'Hello' },
		{ name: 'button', type: 'json', value: '{ "caption": "{name}" }' },
	]);
	expect(hintsOf(result).join(' ')).toContain('1 message contains braces in JSON content');
});

test('True is true', async () => {
	await send([{ name: 'isBold', type: 'boolean', value: ' True ' }]);
	expect(await sent()).toEqual({ isBold: true });
});
