import { demo } from '../../sandbox/demo.cts';
import { byId, jsonOf, useSandbox } from '../support/sandbox.cts';
import { plainRow } from './table/plain.cts';

const bench = useSandbox();
const { flowers } = demo.companies;
const { mts, beeline } = demo.senders;

const queryOf = async () => (await bench.wire())[0]?.query;
/** Of the first request that has one. */
const bodyOf = async () =>
	(await bench.wire()).find(({ body }) => body !== undefined)?.body as Record<string, unknown>;

describe('a locator', () => {
	test.each([
		['By ID, as text', { __rl: true, mode: 'id', value: '={{ $json.text }}' }],
		['By ID, as a number', { __rl: true, mode: 'id', value: '={{ $json.number }}' }],
		['By ID, with spaces around', { __rl: true, mode: 'id', value: ' 101 ' }],
		['computed', { __rl: true, mode: 'id', value: '={{ 100 + 1 }}' }],
		['From List', { __rl: true, mode: 'list', value: flowers, cachedResultName: 'Camomile' }],
	])('%s', async (_, companyId) => {
		const items = [{ text: '101', number: 101 }];
		const { error, items: output } = await bench.run('company.get', { companyId }, { items });
		expect(error).toBeUndefined();
		expect(jsonOf(output)).toMatchObject([{ companyId: flowers }]);
	});
});

describe('a list of choices', () => {
	test.each([
		['a text with commas', '={{ "MTS, TELE2" }}'],
		['a text of the item', '={{ $json.brands }}'],
		['a list', '={{ ["MTS", "TELE2"] }}'],
		['a list of the item', '={{ $json.list }}'],
	])('%s', async (_, brand) => {
		const { error } = await bench.run(
			'sender.getAll',
			{ companyId: byId(flowers), filters: { brand } },
			{ items: [{ brands: 'MTS,TELE2', list: ['MTS', 'TELE2'] }] },
		);
		expect(error).toBeUndefined();
		expect(await queryOf()).toEqual([
			['brand', 'MTS'],
			['brand', 'TELE2'],
			['companyId', String(flowers)],
		]);
	});

	test('IDs as a text become numbers', async () => {
		const { error } = await bench.run('dispatch.create', {
			...plainRow('dispatch.create').parameters,
			senderIds: `={{ "${mts}, ${beeline}" }}`,
		});
		expect(error).toBeUndefined();
		expect((await bodyOf()).senderIds).toEqual([mts, beeline]);
	});

	test.each([
		['numbers', '={{ [9, 10] }}', '={{ [1, 2] }}'],
		['numbers as text', '={{ "9, 10" }}', '={{ "1,2" }}'],
		['a list of texts', '={{ ["9", "10"] }}', '={{ ["1", "2"] }}'],
	])('hours and weekdays from %s', async (_, hours, days) => {
		const { error } = await bench.run('dispatch.create', {
			...plainRow('dispatch.create').parameters,
			options: { schedule: { when: { startAt: '2026-03-03T10:00:00Z', hours, days } } },
		});
		expect(error).toBeUndefined();
		expect((await bodyOf()).schedule).toMatchObject({ hours: [9, 10], days: [1, 2] });
	});
});

test('a channel that is not listed passes, chosen or by an expression', async () => {
	for (const channelType of ['MAX', '={{ "MAX" }}']) {
		bench.forget();
		const { error } = await bench.run('sender.create', {
			...plainRow('sender.create').parameters,
			additionalFields: {},
			channelType,
		});
		expect(error).toBeUndefined();
		expect((await bodyOf()).channelType).toBe('MAX');
	}
	expect([...bench.store.senders.values()].at(-1)?.channelType).toBe('MAX');
});

describe('recipients', () => {
	test('JSON from an expression: a list, or a text of it', async () => {
		const list = [{ destination: 79161234567, substitutions: { name: 'Anna', age: 5, vip: true } }];
		for (const messagesJson of ['={{ $json.list }}', '={{ JSON.stringify($json.list) }}']) {
			bench.forget();
			const { error } = await bench.run(
				'dispatch.create',
				{
					...plainRow('dispatch.create').parameters,
					ifSent: 'anyway',
					recipients: 'json',
					messagesJson,
				},
				{ items: [{ list }] },
			);
			expect(error).toBeUndefined();
			expect((await bodyOf()).messages).toEqual([
				{ destination: '79161234567', substitutions: { name: 'Anna', age: '5', vip: 'true' } },
			]);
		}
	});

	test('one by one, each field from the item', async () => {
		const { error } = await bench.run(
			'dispatch.create',
			{
				...plainRow('dispatch.create').parameters,
				messages: {
					recipient: [
						{
							destination: '={{ $json.phone }}',
							substitutions: '={{ { name: $json.name } }}',
							customText: '={{ $json.missing }}',
						},
					],
				},
			},
			{ items: [{ phone: 79161234567, name: 'Anna' }] },
		);
		expect(error).toBeUndefined();
		expect((await bodyOf()).messages).toEqual([
			{ destination: '79161234567', substitutions: { name: 'Anna' } },
		]);
	});
});

describe('phone numbers in human forms', () => {
	const forms = [
		'8 (912) 345-67-89',
		'+7 912 345 67 89',
		'7-912-345-67-89',
		'912 345 67 89',
		' 79123456789 ',
	];
	test('recipients of a dispatch', async () => {
		const { error } = await bench.run('dispatch.create', {
			...plainRow('dispatch.create').parameters,
			text: 'Hello',
			messages: { recipient: forms.map((destination) => ({ destination })) },
		});
		expect(error).toBeUndefined();
		expect((await bodyOf()).messages).toEqual([{ destination: '79123456789' }]);
	});

	test('the default country counts for a number without one', async () => {
		const { error } = await bench.run('blacklist.add', {
			companyId: byId(flowers),
			msisdn: '029 123 45 67',
			defaultCountry: 'BY',
		});
		expect(error).toBeUndefined();
		expect((await bodyOf()).msisdn).toBe('375291234567');
	});
});
