import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf } from '../support/n8n.cts';
import { jsonOf } from '../support/sandbox.cts';
import { firstNew, numberOf } from './recipients.cts';
import { useDispatches } from './useDispatches.cts';

/** Additional Fields of a dispatch may replace when it is sent and where results go, never what is sent to whom. */

const { bench, run, created } = useDispatches();
const { flowers } = demo.companies;
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

test('schedule and callback can be replaced, and one hint names them', async () => {
	const fields = {
		schedule: { startAt: '2026-03-03T10:00:00+03:00', hours: [9], days: [1] },
		callbackUrl: 'https://u:p@127.0.0.1/hook',
		callbackEvents: ['sent'],
	};
	const result = await run(
		'create',
		withFields(fields, {
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
	expect(hintsOf(result)).toContain(replaces('schedule, callbackUrl, callbackEvents'));
});

describe.each([
	['companyId', flowers, 'Company'],
	['name', 'Replaced', 'Dispatch Name'],
	['channelType', 'SMS', 'Channel'],
	['senderIds', [mts], 'Sender Names or IDs'],
	['text', 'Instead {name}', 'Text'],
	['messages', [{ destination: numberOf(0) }], 'Recipients'],
])('%s decides what is sent to whom, so it cannot be replaced', (name, value, field) => {
	test.each(['send', 'create', 'preview'])('%s', async (operation) => {
		for (const given of [value, null]) {
			const { error } = await run(operation, withFields({ rateTerm: 10, [name]: given }));
			expect(error?.message).toBe(
				`'Additional Fields (JSON)' can't replace ${name}. Use '${field}' instead`,
			);
			expect(error?.description).toBe('Nothing was sent.');
		}
		expect(created()).toEqual([]);
		// Preview reads the tariffs first.
		expect((await bench.wire()).filter(({ path }) => path !== '/price/tariffs')).toEqual([]);
	});
});

test('null takes the schedule away', async () => {
	const when = { startAt: '2026-03-09T10:00:00+03:00', hours: [1], days: [2] };
	await run('create', withFields({ schedule: null }, { options: { schedule: { when } } }));
	expect(await posted()).not.toHaveProperty('schedule');
});

test.each<[string, unknown, string]>([
	['a list', [1], 'must be an object'],
	['a Callback URL that is none', { callbackUrl: 'nowhere' }, 'Callback URL'],
	['a Callback URL without its login', { callbackUrl: 'https://n8n.example.com/x' }, 'Callback'],
])('%s: nothing is sent', async (_, fields, message) => {
	const { error } = await run('send', withFields(fields));
	expect(error?.message).toContain(message);
	expect(created()).toEqual([]);
	expect((await bench.wire()).filter(({ method }) => method === 'POST')).toEqual([]);
});

test('they may differ by item: those of the first item are sent', async () => {
	const { items, error } = await run(
		'create',
		{ options: { additionalFields: '={{ { rateTerm: 10 + $itemIndex } }}' } },
		2,
	);
	expect(error).toBeUndefined();
	expect(await posted()).toMatchObject({ rateTerm: 10 });
	expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew, recipients: 2, notStarted: 2 }]);
	expect(created()).toEqual([firstNew]);
});
