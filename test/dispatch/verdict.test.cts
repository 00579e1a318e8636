import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { toUnits } from '../../sandbox/stored/money.cts';
import { hintsOf } from '../support/n8n.cts';
import { jsonOf } from '../support/sandbox.cts';
import { firstNew, itemOf, itemsUpTo, numberOf, plain, textFor } from './recipients.cts';
import { useDispatches } from './useDispatches.cts';

/** Preview and the dry run of Send: one verdict, in one sentence, by the limits of Send. */

const { bench, run: runAny } = useDispatches(plain);
const { flowers } = demo.companies;

const run = async (operation: string, more: INodeParameters, items = itemsUpTo(3)) =>
	await runAny(operation, more, items);
const dryRun = async (more: INodeParameters = {}, items?: IDataObject[]) =>
	await run('send', { ...more, mode: 'dryRun' }, items);
const verdictOf = async (more?: INodeParameters, items?: IDataObject[]) => {
	const result = await dryRun(more, items);
	expect(result.error).toBeUndefined();
	const [json = {}] = jsonOf(result.items);
	// The verdict is also a hint.
	expect(hintsOf(result)).toContain(json.summary);
	return json;
};

/** One price for every message, in every tariff. */
const chargeAlways = (price: number, more: object = {}) => {
	bench.store.tariffs = bench.store.tariffs.map((tariff) => ({
		...tariff,
		pricingModel: 'FIXED' as const,
		prices: [{ price, ...more }],
	}));
};
/** Another price by one of the tariffs. */
const chargeMoreByOne = () => {
	const [first, ...others] = bench.store.tariffs;
	if (first) bench.store.tariffs = [{ ...first, prices: [{ price: 4 }] }, ...others];
};
const german = { ...itemOf(7), phone: '+49 151 23456789' };

describe('the verdict', () => {
	test('within the limit, at one price', async () => {
		chargeAlways(2.5);
		expect(await verdictOf()).toMatchObject({
			summary:
				"Nothing was sent. 3 of 3 people would get this, about 7.50 RUB, within 'Price Limit' (1,000 RUB). To send, set 'Mode' to 'Send'.",
			wouldSend: true,
			price: { from: 7.5, to: 7.5, currency: 'RUB', limit: 1000 },
		});
	});

	test('exactly at the limit is within it', async () => {
		chargeAlways(2.5);
		const { summary } = await verdictOf({ priceLimit: 7.5 });
		expect(summary).toContain("about 7.50 RUB, within 'Price Limit' (7.5 RUB)");
	});

	test('above it by one tariff, not by another: possibly above', async () => {
		chargeAlways(2.5);
		chargeMoreByOne();
		const json = await verdictOf({ priceLimit: 10 });
		expect(json).toMatchObject({
			summary:
				"Nothing was sent, and Send may stop: the price is possibly above 'Price Limit' (10 RUB). 3 of 3 people would get this, about 7.50 to 12.00 RUB. To send, set 'Mode' to 'Send'.",
			wouldSend: false,
			wouldReach: 3,
			price: { from: 7.5, to: 12, limit: 10 },
		});
		const { items } = await dryRun({ priceLimit: 10, output: 'recipients' });
		expect(items[0]?.json).toMatchObject({
			outcome: 'wouldBeSent',
			reason: "Send may stop: the price is possibly above 'Price Limit' (10 RUB)",
		});
	});

	test('above it by every tariff: Send would stop', async () => {
		chargeAlways(2.5);
		expect(await verdictOf({ priceLimit: 5 })).toMatchObject({
			summary:
				"Nothing was sent, and Send would stop. The price estimate is 7.5 RUB, but 'Price Limit' is 5 RUB.",
			wouldSend: false,
			recipients: 3,
			wouldReach: 0,
			notStarted: 3,
			price: { from: 7.5, to: 7.5, limit: 5 },
		});
	});

	test.each([
		['no tariff has a price', () => (bench.store.tariffs = [])],
		[
			'the tariffs are in several currencies',
			() => {
				chargeAlways(2.5);
				const [first, ...others] = bench.store.tariffs;
				if (first) bench.store.tariffs = [{ ...first, currency: 'USD' }, ...others];
			},
		],
	])('%s: the price is unknown', async (_, prepare) => {
		prepare();
		const json = await verdictOf();
		expect(json.summary).toMatch(
			/^Nothing was sent\. 3 of 3 people would get this, at an unknown price\. .*To send, set 'Mode' to 'Send'\.$/,
		);
		expect(json).not.toHaveProperty('price');
		expect(json.wouldSend).toBe(true);
	});

	test('a monthly audience is charged in addition, and only then is it mentioned', async () => {
		chargeAlways(2.5, { priceMauBatch: 2_400 });
		expect((await verdictOf()).summary).toContain(
			'If your contract is a monthly-audience (MAU) tariff, its package price (2,400.00 RUB) is charged in addition.',
		);
		chargeAlways(2.5);
		expect((await verdictOf()).summary).not.toContain('MAU');
	});
});

describe('Continue Without Sending', () => {
	const leave = { whenPassed: 'leave' };

	test.each<[string, INodeParameters, IDataObject[], string]>([
		[
			'above the limit',
			{ priceLimit: 5 },
			itemsUpTo(3),
			"The price estimate is 7.5 RUB, but 'Price Limit' is 5 RUB.",
		],
		['nobody is accepted', {}, [german], 'No sender name can reach any of the numbers.'],
	])('%s: Send would not stop, and does not', async (_, more, items, why) => {
		chargeAlways(2.5);
		expect(await verdictOf({ ...leave, ...more }, items)).toMatchObject({
			summary: `Nothing was sent, and Send would send nothing. ${why}`,
			wouldSend: false,
			wouldReach: 0,
		});
		expect((await run('send', { ...leave, ...more }, items)).error).toBeUndefined();
	});

	test('what stops Send anyway', async () => {
		const { summary } = await verdictOf({ ...leave, senderIds: [999] });
		expect(summary).toMatch(/^Nothing was sent, and Send would stop\. /);
	});

	test('possibly above the limit', async () => {
		chargeAlways(2.5);
		chargeMoreByOne();
		expect((await verdictOf({ ...leave, priceLimit: 10 })).summary).toMatch(
			/^Nothing was sent, and Send may leave the dispatch unstarted: the price is possibly above /,
		);
	});
});

describe("the company's budget", () => {
	const allow = (budget: number | null) => {
		const company = bench.store.companies.get(flowers);
		if (company) company.budget = budget === null ? null : toUnits(budget);
	};

	test.each([0, 7])('%d RUB for 7.50: Send would stop, and does', async (budget) => {
		chargeAlways(2.5);
		allow(budget);
		expect(await verdictOf()).toMatchObject({
			summary: `Nothing was sent, and Send would stop. Company ${flowers}'s monthly budget (${budget} RUB) doesn't cover this dispatch.`,
			wouldSend: false,
			wouldReach: 0,
		});
		expect((await run('send', {})).error?.message).toContain('budget');
	});

	test('0 and no tariff has a price: Send would stop', async () => {
		bench.store.tariffs = [];
		allow(0);
		expect((await verdictOf()).wouldSend).toBe(false);
	});

	test('enough by one tariff, not by another: Send may stop', async () => {
		chargeAlways(2.5);
		chargeMoreByOne();
		allow(10);
		expect(await verdictOf()).toMatchObject({
			summary:
				"Nothing was sent, and Send may stop: the price is possibly above the company's monthly budget (10 RUB). 3 of 3 people would get this, about 7.50 to 12.00 RUB, within 'Price Limit' (1,000 RUB). To send, set 'Mode' to 'Send'.",
			wouldSend: false,
		});
	});

	test.each([7.5, null])('%p: nothing is said about it', async (budget) => {
		chargeAlways(2.5);
		allow(budget);
		const { summary, wouldSend } = await verdictOf();
		expect(wouldSend).toBe(true);
		expect(summary).not.toContain('budget');
	});
});

describe('sender names for some operators only', () => {
	/** The company's name for the first operator. */
	const senderIds = () => [
		[...bench.store.senders.values()].find(
			({ companyId, brand, channelType }) =>
				companyId === flowers && brand === 'MTS' && channelType === 'SMS',
		)?.id ?? 0,
	];

	test('the number of people is the highest possible, and rows say why', async () => {
		chargeAlways(2.5);
		const chosen = { senderIds: senderIds() };
		expect(await verdictOf(chosen)).toMatchObject({
			summary:
				"Nothing was sent. Up to 3 of 3 people would get this (the sender names are only for MTS), about 7.50 RUB, within 'Price Limit' (1,000 RUB). To send, set 'Mode' to 'Send'.",
			wouldSend: true,
			wouldReach: 3,
		});
		const { items } = await dryRun({ ...chosen, output: 'recipients' });
		expect(items[1]?.json).toMatchObject({
			outcome: 'wouldBeSent',
			reason: 'The sender names are only for MTS, so the service may reject this number',
		});
		// As the service sees it.
		const sent = await run('send', chosen);
		expect(Number(jsonOf(sent.items)[0]?.failed)).toBeGreaterThan(0);
	});

	test('a minimum may not be reached, and a limit may be kept: Send may stop', async () => {
		chargeAlways(2.5);
		const chosen = { senderIds: senderIds() };
		for (const minimum of [{ minimumPeople: 3 }, { minimumAccepted: 90 }]) {
			const json = await verdictOf({ ...chosen, ...minimum });
			expect(json.summary).toContain(
				'and Send may stop: the service may accept fewer recipients than the minimum. Up to 3 of 3',
			);
			expect(json.wouldSend).toBe(false);
		}
		const json = await verdictOf({ ...chosen, priceLimit: 5 });
		expect(json.summary).toContain(
			"Send may stop: the price is possibly above 'Price Limit' (5 RUB).",
		);
		expect((await run('send', { ...chosen, priceLimit: 5 })).error).toBeUndefined();
	});
});

describe('numbers that no sender name can reach', () => {
	const people = [itemOf(0), german, itemOf(2), { ...itemOf(3), phone: '+7 701 234 56 78' }];

	test('count as failed, and cost nothing', async () => {
		chargeAlways(2.5);
		const json = await verdictOf({}, people);
		expect(json).toMatchObject({
			summary: expect.stringContaining('2 of 4 people would get this, about 5.00 RUB'),
			recipients: 4,
			wouldReach: 2,
			failed: 2,
			leftOut: 0,
			parts: 2,
			texts: [{ destination: numberOf(0) }, { destination: numberOf(2) }],
			reasons: { rejectedByService: 2 },
		});
		expect(json.notReached).toMatchObject([
			{ destination: '4915123456789', outcome: 'failed', item: 2 },
			{ destination: '77012345678', outcome: 'failed', item: 4 },
		]);
		// As the service sees it.
		const { items } = await run('send', {}, people);
		expect(jsonOf(items)).toMatchObject([{ onTheWay: 2, failed: 2, leftOut: 0 }]);
	});

	test('all others have it already: Send would send nothing, and does', async () => {
		await run('send', {}, people);
		expect(await verdictOf({}, people)).toMatchObject({
			summary:
				'Nothing was sent, and Send would send nothing. No sender name can reach any of the numbers.',
			wouldReach: 0,
			failed: 2,
			hasItAlready: 2,
		});
		const { error, items } = await run('send', {}, people);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ started: false, failed: 2, hasItAlready: 2 }]);
		expect(items[0]?.json.summary).toMatch(
			/^Nobody new: 2 of 4 people have it already: .* 2 failed\.$/,
		);
	});

	test.each([
		[
			{ minimumPeople: 3 },
			"Only 2 recipients are accepted, but 'Minimum Accepted (Recipients)' is 3",
		],
		[{ minimumAccepted: 60 }, "'Minimum Accepted (%)' is 60"],
	])('%j: the minimum is that of Send', async (minimum, words) => {
		const { summary } = await verdictOf(minimum, people);
		const { error } = await run('send', minimum, people);
		expect(error?.message).toContain(words);
		expect(summary).toBe(`Nothing was sent, and Send would stop. ${error?.message}.`);
	});

	test('nobody else: Send would stop', async () => {
		expect(await verdictOf({}, [german])).toMatchObject({
			summary:
				'Nothing was sent, and Send would stop. No sender name can reach any of the numbers.',
			wouldSend: false,
			recipients: 1,
			failed: 1,
			wouldReach: 0,
		});
		expect((await run('send', {}, [german])).error?.message).toBe(
			'The service rejected every recipient',
		);
	});

	test('another channel: nobody is certain to be rejected, and nobody to get it', async () => {
		const json = await verdictOf({ channelType: 'VIBER' }, people);
		expect(json).toMatchObject({
			summary: expect.stringContaining('Up to 4 of 4 people would get this'),
			wouldReach: 4,
			failed: 0,
		});
	});
});

describe('who would not get it, as a hint', () => {
	const unreadable = { ...itemOf(1), phone: 'x' };

	test('nobody was rejected yet', async () => {
		expect(hintsOf(await dryRun({}, [itemOf(0), german]))).toContain(
			'1 of 2 recipients wouldn\'t get the message: 1 recipient whom the service will probably reject. The field "notReached" in the result says who and why.',
		);
	});

	test('Send would stop, so nobody gets it', async () => {
		const hints = hintsOf(await dryRun({ priceLimit: 0 }, [itemOf(0), unreadable]));
		expect(hints).toContain(
			'If it were sent, 1 of 2 recipients wouldn\'t get the message: 1 unreadable phone number. The field "notReached" in the result says who and why.',
		);
	});

	test('more than the result names', async () => {
		const many = Array.from({ length: 101 }, () => unreadable);
		expect(hintsOf(await dryRun({}, [itemOf(0), ...many])).at(-1)).toMatch(
			/ names the first 100 and says why\. To see everyone, set 'Output' to 'Recipients'\.$/,
		);
	});
});

describe("an item's own fields in the rows", () => {
	const rowsOf = async (people: IDataObject[], more: INodeParameters = {}) =>
		jsonOf((await dryRun({ output: 'recipients', ...more }, people)).items);

	test('hide nothing of the preview, in any row', async () => {
		const old = { outcome: 'delivered', reason: 'Old' };
		const rows = await rowsOf([{ ...itemOf(0), ...old }, { ...itemOf(1), phone: 'x' }, itemOf(2)]);
		expect(rows).toMatchObject([
			{ outcome: 'wouldBeSent', reason: '', reasonCode: '' },
			{
				outcome: 'skipped',
				reason: expect.stringContaining('letters'),
				reasonCode: 'unreadableNumber',
			},
			{ outcome: 'wouldBeSent', reason: '', reasonCode: '' },
		]);
	});

	test('an earlier reason does not stay beside a new outcome', async () => {
		const old = { outcome: 'skipped', reason: 'Old', reasonCode: 'unreadableNumber' };
		const { items } = await run('send', { output: 'recipients' }, [{ ...itemOf(0), ...old }]);
		expect(jsonOf(items)).toMatchObject([{ outcome: 'accepted', reason: '', reasonCode: '' }]);
	});

	const roses = { ...itemOf(1), phone: 'x', text: 'roses' };

	test.each<[string, INodeParameters, string]>([
		['nothing reads it: the preview shows its own', {}, textFor(itemOf(0))],
		['a placeholder reads it', { text: 'New: {text}' }, 'tulips'],
		['an expression reads it', { text: '=New: {{ $json["text"] }}' }, 'tulips'],
		[
			'an expression reads a field with a longer name',
			{ text: '=New: {{ $json.context ?? $json.name }}' },
			'New: Name 0',
		],
		["a template in the item's own fields reads it", { text: '={{ $json.own }}' }, 'tulips'],
	])('%s', async (_, more, expected) => {
		const own = JSON.stringify(more).includes('own') ? 'New: {text}' : 'Hello';
		const rows = await rowsOf([{ ...itemOf(0), text: 'tulips', own }, roses], more);
		// The node makes no text for somebody who is left out.
		expect(rows.map(({ text: shown }) => shown)).toEqual([expected, 'roses']);
	});
});

describe('Preview is the dry run of Send', () => {
	const messy = [
		itemOf(0),
		{ ...itemOf(1), phone: 'call me' },
		german,
		itemOf(0),
		{ ...itemOf(4), name: null },
		itemOf(5),
	];

	test.each<[string, INodeParameters]>([
		['as it is', {}],
		['above the limit', { priceLimit: 0.01 }],
		['with those left out who lack a value', { missingValues: 'skip' }],
		['too few people', { minimumPeople: 5, missingValues: 'skip' }],
		['a sender name that does not exist', { senderIds: [999] }],
		['several dispatches', { name: '={{ $json.name || "Nobody" }}', missingValues: 'empty' }],
	])('%s: the same items', async (_, more) => {
		const rows = { ...more, output: 'recipients' };
		const [dryRows, previewRows] = [await dryRun(rows, messy), await run('preview', rows, messy)];
		expect(dryRows.error).toBeUndefined();
		expect(dryRows.items).toEqual(previewRows.items);
		// Preview has no Mode, so only the last sentence differs.
		const ofPreview = (summary: unknown) =>
			String(summary).replace("set 'Mode' to 'Send'.", "use the operation 'Send'.");
		const [dry, preview] = [await dryRun(more, messy), await run('preview', more, messy)];
		expect(dry.items.length).toBeGreaterThan(0);
		expect(
			dry.items.map(({ json, ...one }) => ({
				...one,
				json: { ...json, summary: ofPreview(json.summary) },
			})),
		).toEqual(preview.items);
		expect(bench.sent('POST', '/dispatches')).toBe(0);
	});
});

describe('rows of a preview', () => {
	test('say notStarted, and why, if Send would stop', async () => {
		const more = { output: 'recipients', priceLimit: 0.01 };
		const people = [itemOf(0), { ...itemOf(1), phone: 'x' }, german];
		const { items } = await run('preview', more, people);
		const why = expect.stringContaining("but 'Price Limit' is 0.01 RUB") as string;
		expect(jsonOf(items)).toMatchObject([
			{ destination: numberOf(0), outcome: 'notStarted', reason: why, reasonCode: '' },
			{ outcome: 'skipped', reasonCode: 'unreadableNumber', reason: '"x" contains letters' },
			{
				outcome: 'failed',
				reasonCode: 'rejectedByService',
				reason:
					'The sender names are for MTS, BEELINE, MEGAFON, TELE2, so the service will probably reject this number',
			},
		]);
	});

	test('say wouldBeSent, with the text, if Send would send', async () => {
		const { items } = await run('preview', { output: 'recipients' });
		expect(jsonOf(items)).toMatchObject(
			itemsUpTo(3).map((one) => ({ outcome: 'wouldBeSent', text: textFor(one), parts: 1 })),
		);
		for (const row of jsonOf(items)) expect(row).not.toHaveProperty('reason');
	});
});

describe('Default Country', () => {
	const local = [
		{ ...itemOf(0), phone: '8 (916) 123-45-67', country: 'RU' },
		{ ...itemOf(1), phone: '029 123 45 67', country: 'BY' },
		{ ...itemOf(2), phone: '916 765-43-21' },
		{ ...itemOf(3), phone: '+7 926 000-00-11' },
	];
	const countryOf = '={{ $json.country }}';
	const destinations = () =>
		bench.store.dispatches.get(firstNew)?.messages.map(({ destination }) => destination);

	test.each([
		['a plain reference', countryOf],
		['an expression', '={{ $json["country"] || undefined }}'],
	])('%s that is undefined for some: those need a country code', async (_, defaultCountry) => {
		const more = { defaultCountry, output: 'recipients' };
		const { items, error } = await run('create', more, local);
		expect(error).toBeUndefined();
		expect(destinations()).toEqual(['79161234567', '375291234567', '79260000011']);
		expect(items[2]?.json).toMatchObject({ outcome: 'skipped', reasonCode: 'unreadableNumber' });
	});

	test('the same for lists in the items', async () => {
		const list = '={{ [{ destination: $json.phone }] }}';
		const more = { recipients: 'json', messagesJson: list, text: 'Hello' };
		const { items, error } = await run('create', { ...more, defaultCountry: countryOf }, local);
		expect(error).toBeUndefined();
		expect(destinations()).toEqual(['79161234567', '375291234567', '79260000011']);
		expect(jsonOf(items)).toMatchObject([{ recipients: 4, reasons: { unreadableNumber: 1 } }]);
	});

	test.each<[string, INodeParameters]>([
		['left out', {}],
		['left out, beside an option that differs by item', { priceCurrency: '={{ $json.money }}' }],
	])('%s: Russia', async (_, more) => {
		const people = [local[0], local[2]].map((one) => ({ ...one, money: 'RUB' }));
		const { error } = await run('send', { ...more, text: 'Hello' }, people);
		expect(error).toBeUndefined();
		expect(destinations()).toEqual(['79161234567', '79167654321']);
	});

	test('a country that does not exist is an error', async () => {
		const people = [{ ...itemOf(0), phone: '916 765-43-21', country: 'Narnia' }];
		const { error } = await run('send', { defaultCountry: countryOf }, people);
		expect(error?.message).toContain("'Default Country'");
		expect(bench.sent('POST', '/dispatches')).toBe(0);
	});
});
