import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf } from '../support/n8n.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { firstNew, numberOf } from './recipients.cts';
import { useDispatches } from './useDispatches.cts';

/** Additional Fields of a dispatch replace what the screen says, before anything is looked up by it. */

const { bench, run, created } = useDispatches();
const { flowers, travel } = demo.companies;
const { mts } = demo.senders;

const withFields = (fields: unknown, more: INodeParameters = {}): INodeParameters => ({
	...more,
	options: { ...(more.options as IDataObject), additionalFields: JSON.stringify(fields) },
});
const posted = async () =>
	(await bench.wire()).find(({ method, path }) => method === 'POST' && path === '/dispatches')
		?.body as IDataObject;
const replaces = (names: string) => `'Additional Fields (JSON)' replaces ${names}.`;

test.each(['create', 'send'])(
	'%s: what has no field is sent, without a hint',
	async (operation) => {
		const result = await run(operation, withFields({ rateTerm: 10, priority: { level: 1 } }));
		expect(result.error).toBeUndefined();
		expect(await posted()).toMatchObject({ rateTerm: 10, priority: { level: 1 } });
		expect(hintsOf(result).join(' ')).not.toContain('replaces');
	},
);

test('every field of the screen can be replaced, and one hint names them', async () => {
	const fields = {
		companyId: flowers,
		name: 'Replaced',
		senderIds: [mts],
		channelType: 'SMS',
		text: 'Instead {name}',
		schedule: { startAt: '2026-03-03T10:00:00+03:00', hours: [9], days: [1] },
		callbackUrl: 'https://u:p@127.0.0.1/hook',
		callbackEvents: ['sent'],
	};
	const result = await run(
		'create',
		withFields(fields, {
			companyId: byId(travel),
			options: {
				callbackUrl: 'https://127.0.0.1/other',
				callbackAuthentication: 'url',
				schedule: { when: { startAt: '2026-03-09T10:00:00+03:00', hours: [1], days: [2] } },
			},
		}),
		2,
	);
	expect(result.error).toBeUndefined();
	expect(await posted()).toMatchObject(fields);
	expect(hintsOf(result)).toContain(
		replaces(
			'companyId, name, senderIds, channelType, text, schedule, callbackUrl, callbackEvents',
		),
	);
	expect(bench.store.dispatches.get(firstNew)?.messages.map(({ text }) => text)).toEqual([
		'Instead Name 0',
		'Instead Name 1',
	]);
});

test('a name in them protects from sending twice', async () => {
	const fields = withFields({ name: 'Once' }, { nameExists: 'stop' });
	await run('send', fields);
	const { error } = await run('send', { ...fields, name: 'Another' });
	expect(error?.message).toContain('"Once"');
	expect(created()).toEqual([firstNew]);
});

test('null takes the schedule away', async () => {
	const when = { startAt: '2026-03-09T10:00:00+03:00', hours: [1], days: [2] };
	await run('create', withFields({ schedule: null }, { options: { schedule: { when } } }));
	expect(await posted()).not.toHaveProperty('schedule');
});

test('sender names in them are checked like those of the list', async () => {
	const { error } = await run('create', withFields({ senderIds: [99_999] }));
	expect(error?.message).toContain("'Sender Names or IDs' can't be used");
	expect(created()).toEqual([]);
});

test('Preview shows the text that is sent', async () => {
	const { items } = await run('preview', withFields({ text: 'Instead' }));
	expect(jsonOf(items)).toMatchObject([{ longestText: 'Instead' }]);
});

test.each<[string, unknown, string, INodeParameters?]>([
	['recipients', { messages: [{ destination: numberOf(0) }] }, "can't replace messages"],
	[
		'a text beside an expression',
		{ text: 'A' },
		"can't replace text",
		{ text: '={{ $json.name }}' },
	],
	['a list', [1], 'must be an object'],
	['a text that is a number', { text: 5 }, 'needs a text'],
	['a company that is no number', { companyId: 'x' }, 'Company'],
	['a Callback URL that is none', { callbackUrl: 'nowhere' }, 'Callback URL'],
	['a Callback URL without its login', { callbackUrl: 'https://n8n.example.com/x' }, 'Callback'],
])('%s: nothing is sent', async (...row) => {
	const [, fields, message, more] = row;
	const { error } = await run('send', withFields(fields, more));
	expect(error?.message).toContain(message);
	expect(created()).toEqual([]);
	expect((await bench.wire()).filter(({ method }) => method === 'POST')).toEqual([]);
});

test('items that differ in them do not share a dispatch', async () => {
	const { items, error } = await run(
		'create',
		{ options: { additionalFields: '={{ { name: "For " + $json.name } }}' } },
		2,
	);
	expect(error).toBeUndefined();
	expect(jsonOf(items).map(({ name }) => name)).toEqual(['For Name 0', 'For Name 1']);
});
