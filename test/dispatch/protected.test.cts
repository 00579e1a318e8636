import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { withoutCode } from '../../core/contract/dispatchName';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf } from '../support/n8n.cts';
import { byId, jsonOf, linksOf } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import { block, firstNew, itemOf, itemsUpTo, numberOf, plain, textFor } from './recipients.cts';
import { failing, useDispatches, usePausesOfService } from './useDispatches.cts';

/** What protects people by default: one press sends once, green means that somebody was reached. */

// Pauses take no time, and the time of day goes on by what they would have taken.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

const dispatches = useDispatches(plain);
const { bench, created, statuses, statusOf, destinations, textsOf, answer, show } = dispatches;
const { flowers, travel, bakery } = demo.companies;
const { mts, beeline, megafon, tele2 } = demo.senders;
const run = async (
	operation: string,
	more?: INodeParameters,
	items = itemsUpTo(3),
	options?: Parameters<typeof bench.run>[2],
) => await dispatches.run(operation, more, items, options);
const send = async (
	...given: Parameters<typeof run> extends [string, ...infer Rest] ? Rest : never
) => await run('send', ...given);
const storedAs = (id = firstNew) => bench.store.dispatches.get(id);

/** Everything that was sent and is no question. */
const posts = () =>
	bench.recorded
		.filter(({ method, url }) => method !== 'GET' && !url.endsWith('/auth/token'))
		.map(({ method, url }) => `${method} ${url.slice(demo.partnerPath.length)}`);
const sentOnce = ['POST /dispatches', `POST /dispatches/${firstNew}/start`];

/** As people in New York read it, which is where n8n is by default: `2 Mar, 02:00`, with the year where it is another. */
const timeOf = (at: number | null | undefined) => {
	const local = new Date((at ?? 0) - 5 * 3_600_000);
	const year = local.getUTCFullYear() === new Date().getFullYear() ? '' : ' 2026';
	return `${local.getUTCDate()} Mar${year}, ${local.toISOString().slice(11, 16)}`;
};

/** A field of Dispatch as it is on the screen. */
const fieldOf = (name: string, operation: string) => {
	const found = new BulkMessagingPartner().description.properties.find(
		({ name: own, displayOptions }) =>
			own === name &&
			displayOptions?.show?.resource?.includes('dispatch') &&
			displayOptions.show.operation?.includes(operation),
	);
	if (found === undefined) throw new Error(`${operation} has no field ${name}`);
	return found;
};

/** One of the fields among 'Options'. */
const optionOf = (name: string, operation: string) => {
	const { options = [], default: nothingAdded } = fieldOf('options', operation);
	expect(nothingAdded).toEqual({});
	return (options as INodeProperties[]).find((option) => option.name === name);
};

describe('one press sends once', () => {
	test.each(['create', 'send'])(
		'%s: Dispatch Name is on the panel, and what to do if it was sent is an option',
		(operation) => {
			expect(optionOf('ifSent', operation)).toMatchObject({
				displayName: 'If It Was Sent Before',
				type: 'options',
				default: 'new',
			});
			expect(optionOf('senderIds', operation)?.displayName).toBe('Sender Names or IDs');
			expect(fieldOf('name', operation)).toMatchObject({
				displayName: 'Dispatch Name',
				default: '',
			});
		},
	);

	test('the second press is green, sends nothing, and says what was sent and when', async () => {
		const first = await send();
		expect(first.error).toBeUndefined();
		expect(posts()).toEqual(sentOnce);
		const second = await send({ output: 'summary' });
		expect(second.error).toBeUndefined();
		const summary = `Everybody has it already: dispatch ${firstNew} (${timeOf(storedAs()?.startedAt)}): 0 reached, 0 failed, 3 on the way.`;
		expect(jsonOf(second.items)).toEqual([
			{
				summary,
				name: 'Spring sale',
				status: 'STARTED',
				recipients: 3,
				reached: 0,
				onTheWay: 0,
				failed: 0,
				leftOut: 0,
				hasItAlready: 3,
				started: true,
				dispatchId: firstNew,
			},
		]);
		expect(hintsOf(second)).toEqual([`Nothing new was sent. ${summary}`]);
		const rows = await send({ output: 'recipients' });
		expect(jsonOf(rows.items)[0]).toMatchObject({
			destination: numberOf(0),
			outcome: 'skipped',
			reason: `Is in dispatch ${firstNew}, which was sent before`,
			reasonCode: 'hasItAlready',
			dispatchId: firstNew,
		});
		expect(posts()).toEqual(sentOnce);
	});

	test.each<[string, INodeParameters]>([
		['with another limit', { priceLimit: 5_000 }],
		['with another spelling of the name', { name: '  SPRING\u200B sale' }],
		['under another name, within twelve hours', { name: 'Summer sale' }],
		["that is Create's", { operation: 'create' }],
	])('a second press %s sends nothing', async (_, more) => {
		await send();
		const { error, items } = await send(more);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ hasItAlready: 3 }]);
		expect(posts()).toEqual(sentOnce);
	});

	test('one person more: only that one gets it, and the others are counted', async () => {
		await send();
		const { items } = await send({}, itemsUpTo(4));
		expect(jsonOf(items)).toMatchObject([
			{
				summary: 'The service accepted the message for 1 of 4 people. 3 have it already.',
				dispatchId: firstNew + 1,
				onTheWay: 1,
				hasItAlready: 3,
			},
		]);
		expect(destinations(firstNew + 1)).toEqual([numberOf(3)]);
	});

	test('another text stops', async () => {
		await send();
		const { error } = await send({ text: 'Hello' });
		expect(error?.message).toBe('Another text was sent under this name');
		expect(error?.description).toBe(
			`In dispatch ${firstNew} (${timeOf(storedAs()?.startedAt)}), 3 of these people got another text. Nobody got a message from this run. For another text, use another 'Dispatch Name'.`,
		);
		expect(error?.context).toMatchObject({ code: 'otherText', item: 1 });
		expect(posts()).toEqual(sentOnce);
	});

	test('Stop: it was sent, also to other people', async () => {
		await send();
		const { error } = await send({ ifSent: 'stop' }, [itemOf(7)]);
		expect(error?.message).toBe(
			`This was already sent as dispatch ${firstNew} (${timeOf(storedAs()?.startedAt)})`,
		);
		expect(error?.description).toBe(
			"Nobody got a message from this run. To send to new recipients, set 'If It Was Sent Before' to 'New Recipients Only'.",
		);
		expect(error?.context?.code).toBe('sentBefore');
		expect(posts()).toEqual(sentOnce);
	});

	test('Send Anyway: everybody gets it again', async () => {
		await send();
		const { items } = await send({ ifSent: 'anyway' });
		expect(jsonOf(items)).toMatchObject([{ onTheWay: 3 }]);
		expect(statuses()).toEqual(['STARTED', 'STARTED']);
	});

	test('one that waits to be started: Send stops and says how to send it, Create shows it again', async () => {
		await run('create');
		const { error } = await send();
		expect(error?.message).toBe(`Dispatch ${firstNew} was created to be started by hand`);
		expect(error?.description).toBe(
			`It contains 3 of these people. Nobody got a message from this run. To send it, use 'Start' with dispatch ${firstNew}. To send something else, use another 'Dispatch Name'.`,
		);
		expect(error?.context?.code).toBe('kept');
		expect(jsonOf((await run('create')).items)).toMatchObject([
			{ dispatchId: firstNew, notStarted: 3 },
		]);
		expect(posts()).toEqual(['POST /dispatches']);
	});

	describe('one of another run that is not started', () => {
		/** One that another process has left, made as a node makes it. */
		const leave = async () => {
			await send({ priceLimit: 0.01 }, [itemOf(5)]);
			// Another account in the memory of this process, the same at the service.
			return { credentials: bench.credentials({ accessToken: 'another process' }) };
		};
		/** A run while this machine's clock shows the service's time. */
		const at = async (options: object, more?: INodeParameters) =>
			await send(more, undefined, options);

		test('it may be started for half an hour: stops until then, and a dry run says the same', async () => {
			const options = await leave();
			const { error } = await at(options);
			expect(error?.message).toBe('Another run may still be sending "Spring sale"');
			expect(error?.description).toBe(
				"Nobody got a message from this run. Run it again at 02:30 (America/New_York): it sends only to those who don't have it yet.",
			);
			expect(error?.context?.code).toBe('busy');
			const dryRun = await at(options, { mode: 'dryRun' });
			expect(jsonOf(dryRun.items)).toMatchObject([
				{
					wouldSend: false,
					summary: `Nothing was sent, and Send would stop. ${error?.message}.`,
				},
			]);
			await bench.sandbox.advance(30 * 60_000);
			expect((await at(options)).error).toBeUndefined();
			expect(statuses()).toEqual(['CREATED', 'STARTED']);
		});

		test('this process knows that its run has returned: sends', async () => {
			await leave();
			expect((await send()).error).toBeUndefined();
		});
	});

	test('the name of another company is not in the way', async () => {
		await run('create', { companyId: byId(bakery) });
		const { error } = await send();
		expect(error).toBeUndefined();
		expect(created().map((id) => storedAs(id)?.companyId)).toEqual([bakery, flowers]);
	});

	test("no name: the workflow's, and it counts for 20 hours", async () => {
		const daily = async () => await send({ name: '' }, undefined, { workflowName: 'Birthdays' });
		const { items } = await daily();
		expect(jsonOf(items)).toMatchObject([{ name: 'Birthdays', onTheWay: 3 }]);
		expect(withoutCode(storedAs()?.name ?? '')).toBe('Birthdays');
		await bench.sandbox.advance(20 * 3_600_000 - 60_000);
		expect(jsonOf((await daily()).items)).toMatchObject([{ hasItAlready: 3 }]);
		await bench.sandbox.advance(60_000);
		expect(jsonOf((await daily()).items)).toMatchObject([{ onTheWay: 3 }]);
		expect(statuses()).toEqual(['COMPLETED', 'STARTED']);
	});

	test('in a loop, the second round leaves out whom the first has sent to', async () => {
		const { error } = await send({}, undefined, { rounds: 2 });
		expect(error).toBeUndefined();
		expect(created()).toEqual([firstNew]);
	});

	test('two presses at once: the second one sends nothing, and says when to run it again', async () => {
		let second: Awaited<ReturnType<typeof send>> | undefined;
		bench.flight.beforeAnswer = async () => {
			if (dispatches.creates() === 0) return;
			bench.flight.beforeAnswer = undefined;
			second = await send();
		};
		expect((await send()).error).toBeUndefined();
		expect(second?.error?.message).toBe(
			'"Spring sale" is being sent by another execution right now',
		);
		expect(second?.error?.description).toBe(
			"Nobody got a message from this run. Run it again when that one has ended: it sends only to those who don't have it yet.",
		);
		expect(second?.error?.context?.code).toBe('atWork');
		expect(posts()).toEqual(sentOnce);
	});

	describe('several dispatches of one run', () => {
		test('one name for two channels: both are sent, and pressed again neither is', async () => {
			const byChannel = { text: 'Hello', channelType: '={{ $itemIndex ? "VIBER" : "SMS" }}' };
			const people = [itemOf(0), itemOf(4)];
			const { error, items } = await send(byChannel, people);
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toMatchObject([
				{ started: true, name: 'Spring sale' },
				{ started: true, name: 'Spring sale' },
			]);
			const again = await send(byChannel, people);
			expect(jsonOf(again.items)).toMatchObject([{ hasItAlready: 1 }, { hasItAlready: 1 }]);
			expect(created()).toHaveLength(2);
		});

		const byCity = { name: '={{ $json.city }}' };
		const cities = [
			{ ...itemOf(0), city: 'Tver' },
			{ ...itemOf(1), city: 'Omsk' },
			{ ...itemOf(2), city: 'Tver' },
		];
		const toOmsk = async () => {
			await run('create', { name: 'Omsk' }, [itemOf(1)]);
			bench.forget();
		};

		test.each<[string, INodeParameters, string]>([
			['name waits to be started', {}, `Dispatch ${firstNew} was created to be started by hand`],
			[
				'sender name is not approved',
				{
					senderIds: `={{ $itemIndex === 1 ? [${demo.senders.draft}] : [${mts}] }}`,
					ifSent: 'anyway',
				},
				"'Sender Names or IDs' can't be used",
			],
			[
				'recipients cannot be read',
				{ destination: '={{ $itemIndex === 1 ? "x" : $json.phone }}' },
				'There are no valid recipients: 1 unreadable phone number',
			],
		])('the %s in the second: the first is not created either', async (_, more, words) => {
			await toOmsk();
			const { error } = await send({ ...byCity, ...more }, cities);
			expect(error?.message).toContain(words);
			expect(error?.context?.item).toBe(2);
			expect(posts()).toEqual([]);
		});

		test('with Continue the others are sent, and the error belongs to its own items', async () => {
			await toOmsk();
			const { items, error } = await send(byCity, cities, { onError: 'continueRegularOutput' });
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toMatchObject([
				{ name: 'Tver', started: true, onTheWay: 2 },
				{ error: expect.stringContaining('was created to be started by hand') },
			]);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
				[{ item: 0 }, { item: 2 }],
				{ item: 1 },
			]);
			expect(posts()).toEqual(['POST /dispatches', `POST /dispatches/${firstNew + 1}/start`]);
		});
	});

	test('the name was used on another channel: it is not in the way', async () => {
		await send({ channelType: 'VIBER', text: 'Hello' });
		expect((await send()).error).toBeUndefined();
		expect(statuses()).toEqual(['STARTED', 'STARTED']);
	});
});

describe('green means that somebody was reached', () => {
	const unreadable = [
		{ ...itemOf(0), phone: 'call me' },
		{ ...itemOf(1), phone: '' },
		{ ...itemOf(2), phone: null },
	];

	test.each(['create', 'send', 'addMessages'])(
		'%s: nobody is left: an error, and nothing is created or added',
		async (operation) => {
			if (operation === 'addMessages') await run('create');
			bench.forget();
			const { error, items } = await run(operation, { id: byId(firstNew) }, unreadable);
			expect(items).toEqual([]);
			expect(error?.message).toBe('There are no valid recipients: 3 unreadable phone numbers');
			expect(error?.description).toBe(
				'Nothing was sent. The first one is item 1: "call me" contains letters. Check the recipients, for example whether \'Phone Number\' uses the right field.',
			);
			expect(error?.context?.item).toBe(1);
			expect(posts()).toEqual([]);
		},
	);

	test('every reason is counted in the title', async () => {
		const { error } = await send(
			{ text: '={{ $json.text }}', options: { missingValues: 'skip' } },
			[
				{ ...itemOf(0), phone: 'x', text: 'Hello' },
				{ ...itemOf(1), text: ' ' },
				{ ...itemOf(2), text: 'Dear {nickname}' },
			],
		);
		expect(error?.message).toBe(
			'There are no valid recipients: 1 unreadable phone number, 1 recipient without a value for a placeholder, 1 recipient with an empty text',
		);
		expect(posts()).toEqual([]);
	});

	test('with Continue it is one item, linked to all of its items', async () => {
		const { items } = await send({}, unreadable, { onError: 'continueRegularOutput' });
		expect(items).toHaveLength(1);
		expect(items[0]?.json.error).toMatch(/^There are no valid recipients: 3 unreadable /);
		expect(items[0]?.pairedItem).toEqual([0, 1, 2].map((item) => ({ item })));
	});

	test.each(['error', 'leave'])(
		'the service rejects everybody, %s: not started',
		async (whenPassed) => {
			block(bench.sandbox, [0, 1, 2].map(numberOf));
			const { error, items } = await send({ options: { whenPassed } });
			const reason = 'The service rejected every recipient';
			expect(error?.message).toBe(whenPassed === 'error' ? reason : undefined);
			expect(error?.description).toBe(
				whenPassed === 'error'
					? `Dispatch ${firstNew} isn't started. Nobody got a message from this run. Change the limit or the list, and run it again.`
					: undefined,
			);
			const left = { dispatchId: firstNew, status: 'CREATED', started: false, reason };
			expect(jsonOf(items)).toMatchObject(whenPassed === 'error' ? [] : [left]);
			expect(statuses()).toEqual(['CREATED']);
			expect(posts()).toEqual(['POST /dispatches']);
		},
	);

	test.each([
		[1, true],
		[2, true],
		[3, false],
	])(
		'Minimum Accepted (Recipients) %i, and 2 are: started is %s',
		async (minimumPeople, isStarted) => {
			block(bench.sandbox, [numberOf(1)]);
			const { error } = await send({ options: { minimumPeople } });
			expect(error?.message).toBe(
				isStarted
					? undefined
					: "Only 2 recipients are accepted, but 'Minimum Accepted (Recipients)' is 3",
			);
			expect(statusOf(firstNew)).toBe(isStarted ? 'STARTED' : 'CREATED');
		},
	);

	describe('the price limit that nobody changes is 1000 RUB', () => {
		test('above it nothing is sent', async () => {
			const { error } = await send({ text: 'Hello' }, itemsUpTo(450));
			expect(error?.message).toMatch(/, but 'Price Limit' is 1000 RUB$/);
			expect(statuses()).toEqual(['CREATED']);
			expect(posts()).toEqual(['POST /dispatches']);
			expect(fieldOf('priceLimit', 'send').default).toBe(1000);
			expect(optionOf('priceCurrency', 'send')?.default).toBe('RUB');
		});

		test.each([
			['USD', "The price estimate is in RUB, but 'Price Limit' is in USD"],
			[' rub ', undefined],
		])('in the currency %j: %s', async (priceCurrency, message) => {
			expect((await send({ priceCurrency })).error?.message).toBe(message);
			expect(statuses()).toEqual([message === undefined ? 'STARTED' : 'CREATED']);
		});
	});
});

describe('every loss is a hint', () => {
	test.each([
		['create', "If you start the dispatch, 2 of 4 recipients won't"],
		['send', "2 of 4 recipients won't"],
		['preview', "2 of 4 recipients wouldn't"],
	])('%s: who was left out, and why', async (operation, who) => {
		const result = await run(operation, {}, [
			itemOf(0),
			{ ...itemOf(1), phone: 'x' },
			{ ...itemOf(2), phone: 'y' },
			itemOf(0),
			itemOf(4),
		]);
		expect(result.error).toBeUndefined();
		const hints = hintsOf(result);
		if (operation === 'preview')
			expect(hints.shift()).toMatch(/^Nothing was sent\. 2 of 4 people /);
		expect(hints).toEqual([
			`${who} get the message: 2 unreadable phone numbers. The field "notReached" in the result says who and why. 1 duplicate phone number isn't counted: each person gets one message.`,
		]);
	});

	const sameNumber =
		"All 3 items have the same phone number. Check whether 'Phone Number' should be an expression such as {{ $json.phone }}.";
	const severalMade =
		'This run made 3 dispatches. If you wanted only one, check what differs between the items: those with the same company, channel and name share a dispatch.';
	const toOne = { destination: `+${numberOf(0)}` };
	const apart = { name: '={{ $json.name }}' };

	test.each<[string, INodeParameters, string[]]>([
		[
			'the same number in every item',
			toOne,
			["2 duplicate phone numbers aren't counted: each person gets one message.", sameNumber],
		],
		['the same number under different names', { ...toOne, ...apart }, [severalMade, sameNumber]],
		['several dispatches, each for another person', apart, [severalMade]],
	])('%s', async (_, more, hints) => {
		const result = await send(more);
		expect(result.error).toBeUndefined();
		expect(hintsOf(result).sort()).toEqual(hints.sort());
	});

	test.each([
		['Preview', 'preview', {}],
		['a dry run', 'send', { mode: 'dryRun' }],
	])('%s has made no dispatch', async (_, operation, more) => {
		const result = await run(operation, { ...apart, ...more });
		expect(result.error).toBeUndefined();
		expect(created()).toEqual([]);
		expect(hintsOf(result).join(' ')).not.toContain('This run made');
	});

	describe('sender names', () => {
		const all = [mts, beeline, megafon, tele2];

		test.each([{}, { senderIds: all }])('%j: one for each operator', async (more) => {
			const result = await send(more, itemsUpTo(4));
			expect(hintsOf(result)).toEqual([]);
			expect(storedAs()?.senderIds.toSorted()).toEqual(all);
			expect(jsonOf(result.items)).toMatchObject([{ onTheWay: 4 }]);
		});

		test('a choice that leaves operators without one', async () => {
			const result = await send({ senderIds: [mts, megafon] }, itemsUpTo(4));
			expect(result.error).toBeUndefined();
			expect(hintsOf(result)).toEqual([
				"None of the chosen sender names is for BEELINE, TELE2, so the service may reject recipients of these operators. To use every approved name, remove the option 'Sender Names or IDs'.",
				'2 of 4 recipients won\'t get the message: 2 recipients rejected by the service. The field "notReached" in the result says who and why.',
			]);
		});
	});
});

describe('one row per person', () => {
	const first = ['destination', 'outcome', 'reason', 'reasonCode'];
	const last = ['text', 'parts', 'sender', 'messageUuid', 'dispatchId'];
	const lastOfPreview = ['text', 'parts'];
	const own = ['phone', 'name', 'code', 'secret'];
	/** Six rows as people have them. */
	const messy = [
		itemOf(0),
		{ ...itemOf(1), phone: 'call me' },
		{ ...itemOf(2), phone: null },
		{ ...itemOf(3), phone: `8${numberOf(0).slice(1)}` },
		itemOf(4),
		{ ...itemOf(5), phone: demo.numbers.noOperator },
	];
	/** What people look for is in front, then who it is about. */
	const expectSameColumns = (rows: readonly IDataObject[], expected: readonly string[]) => {
		for (const row of rows) {
			expect(Object.keys(row)).toEqual(expected);
			expect(Object.values(row)).not.toContain(undefined);
			expect(Object.values(row).includes(null)).toBe(row.phone === null);
		}
	};

	test.each([
		['create', {}],
		['send', {}],
		['send', { mode: 'dryRun' }],
		['send', { priceLimit: 0.01, options: { whenPassed: 'leave' } }],
		['preview', {}],
	])('%s %j: the same columns in every row, beside its own fields', async (operation, more) => {
		const { items, error } = await run(operation, { output: 'recipients', ...more }, messy);
		expect(error).toBeUndefined();
		expect(linksOf(items)).toEqual([0, 1, 2, 3, 4, 5]);
		const rows = jsonOf(items);
		const isPreview = operation === 'preview' || 'mode' in more;
		expectSameColumns(rows, [...first, ...own, ...(isPreview ? lastOfPreview : last)]);
		expect(rows.map(({ name, code }) => [name, code])).toEqual(
			messy.map(({ name, code }) => [name, code]),
		);
	});

	test('Add Messages: the same columns, too', async () => {
		await run('create', {}, [itemOf(9)]);
		const { items } = await run('addMessages', { id: byId(firstNew), output: 'recipients' }, messy);
		// The service's answer doesn't say which sender name it uses.
		const lastOfAdded = last.filter((name) => name !== 'sender');
		expectSameColumns(jsonOf(items), [...first, ...own, ...lastOfAdded]);
		expect(
			jsonOf(items)
				.map(({ outcome }) => outcome)
				.join(),
		).toBe('notStarted,skipped,skipped,skipped,notStarted,failed');
	});

	test('a list in one item: the same columns, without fields of its own', async () => {
		const { items } = await send(
			{
				output: 'recipients',
				recipients: 'json',
				text: 'Hello',
				messagesJson: JSON.stringify([{ destination: numberOf(0) }, { destination: 'x' }]),
			},
			[{ crm: 1 }],
		);
		expectSameColumns(jsonOf(items), [...first, ...last]);
		expect(linksOf(items)).toEqual([0, 0]);
	});

	test('Send: what became of each', async () => {
		const { items } = await send({ output: 'recipients' }, messy);
		const notSent = { outcome: 'skipped', messageUuid: '', sender: '' };
		const sent = {
			outcome: 'accepted',
			reason: '',
			reasonCode: '',
			messageUuid: expect.stringMatching(/./),
			parts: 1,
			sender: demo.senderNames.sms,
		};
		expect(jsonOf(items)).toMatchObject([
			{ ...sent, destination: numberOf(0), text: textFor(itemOf(0)) },
			{ ...notSent, reasonCode: 'unreadableNumber', reason: '"call me" contains letters' },
			{ ...notSent, reasonCode: 'unreadableNumber', reason: 'The number is empty' },
			{
				...notSent,
				reasonCode: 'duplicate',
				reason: `${numberOf(0)} is already a recipient (item 1)`,
			},
			{ ...sent, destination: numberOf(4), text: textFor(itemOf(4)) },
			{
				...notSent,
				outcome: 'failed',
				reasonCode: 'rejectedByService',
				reason: expect.stringContaining('without a reason. Usually no sender name matches'),
			},
		]);
	});

	test('Send follows Preview: the same people get the same texts', async () => {
		const preview = await run('preview', { output: 'recipients' }, messy);
		const { error, items } = await send({ output: 'recipients' }, jsonOf(preview.items));
		expect(error).toBeUndefined();
		expect(destinations()).toEqual([numberOf(0), numberOf(4), demo.numbers.noOperator]);
		expect(textsOf()).toEqual([0, 4, 5].map((index) => textFor(itemOf(index))));
		// The text and parts of the preview are now fields of the input items, before the new columns.
		const before = [...own, ...lastOfPreview];
		expect(Object.keys(jsonOf(items)[0] ?? {})).toEqual([
			...first,
			...before,
			...last.filter((name) => !before.includes(name)),
		]);
	});
});

describe('Wait Until Delivered', () => {
	// While the node waits, the sandbox's time goes on.
	usePausesOfService(dispatches);
	const waited = { waitUntilDelivered: true, output: 'recipients' };

	test('one row per person with what became of them', async () => {
		// Numbers that are never sent to fail at once; waiting out a lifetime takes thousands of looks.
		const [unsent, other] = [demo.numbers.unsent, '79039990002'];
		const people = [
			itemOf(0),
			{ ...itemOf(1), phone: other },
			{ ...itemOf(2), phone: unsent },
			{ ...itemOf(3), phone: 'x' },
			itemOf(4),
		];
		const result = await send(waited, people);
		expect(result.error).toBeUndefined();
		expect(statusOf(firstNew)).toBe('COMPLETED');
		const failed = {
			outcome: 'failed',
			status: 'FAILED',
			reasonCode: 'rejectedByService',
		};
		const delivered = {
			outcome: 'delivered',
			status: 'DELIVERED',
			reason: '',
			price: expect.any(Number),
			sender: demo.senderNames.sms,
		};
		expect(jsonOf(result.items)).toMatchObject([
			{ ...delivered, name: 'Name 0' },
			{ ...failed, name: 'Name 1' },
			{ ...failed, name: 'Name 2' },
			{ outcome: 'skipped', status: '', reasonCode: 'unreadableNumber', name: 'Name 3' },
			{ ...delivered, name: 'Name 4' },
		]);
		expect(linksOf(result.items)).toEqual([0, 1, 2, 3, 4]);
		expect(hintsOf(result)).toEqual([
			'3 of 5 recipients didn\'t get the message: 2 recipients rejected by the service, 1 unreadable phone number. The column "reason" shows who and why.',
		]);
	});

	test('the summary says that it is complete, and counts', async () => {
		const result = await send({ waitUntilDelivered: true });
		const state = { dispatchId: firstNew, status: 'COMPLETED', completed: true, started: true };
		expect(jsonOf(result.items)).toMatchObject([
			{ ...state, recipients: 3, reached: 3, onTheWay: 0, failed: 0, leftOut: 0 },
		]);
		expect(hintsOf(result)).toEqual([]);
	});

	test('the time is over: what is pending says so, and a hint does', async () => {
		const result = await send({ ...waited, limitMinutes: 0 });
		expect(result.error).toBeUndefined();
		expect(jsonOf(result.items)).toMatchObject(
			itemsUpTo(3).map(() => ({ outcome: 'pending', status: 'CREATED' })),
		);
		for (const row of jsonOf(result.items)) expect(row).not.toHaveProperty('reason');
		expect(hintsOf(result)).toEqual([
			expect.stringContaining(`3 messages in dispatch ${firstNew} may still be pending.`),
		]);
		// Others may still get it.
		const people = [itemOf(0), { ...itemOf(1), phone: 'x' }];
		const hints = hintsOf(await send({ ...waited, limitMinutes: 0, name: 'Other' }, people));
		expect(hints.at(-1)).toMatch(/^1 of 2 recipients won't get the message: /);
	});

	test('nothing was started: nothing is waited for', async () => {
		const result = await send({ ...waited, priceLimit: 0.01, options: { whenPassed: 'leave' } });
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)).toEqual([expect.stringMatching(/ was not started\. .* 0\.01 RUB\.$/)]);
		expect(jsonOf(result.items)).toMatchObject(
			itemsUpTo(3).map(() => ({
				outcome: 'notStarted',
				reason: expect.stringContaining("but 'Price Limit' is 0.01 RUB"),
			})),
		);
		expect(bench.sent('GET', '/messages')).toBe(0);
	});

	test.each([
		// The looks before the start pass.
		['the watch fails', `*/dispatches/${firstNew}`, 2, 'STARTED'],
		['the messages cannot be listed', '*/messages', 0, 'COMPLETED'],
	])('sent, and then %s: the error says that it was sent', async (_, path, after, status) => {
		bench.fault('status', 'GET', path, { status: 403, after, times: 1_000 });
		const { error, items } = await send({ waitUntilDelivered: true });
		expect(statuses()).toEqual([status]);
		const told = `${JSON.stringify(jsonOf(items))} ${error?.message} ${error?.description}`;
		expect(told).toContain(String(firstNew));
		expect(told).not.toContain('Nothing was sent');
	});
});

describe('Dry Run', () => {
	const dry = { mode: 'dryRun' };

	test('only asks, and begins with the verdict and the counts', async () => {
		const before = bench.contents();
		const people = [itemOf(0), { ...itemOf(1), phone: 'x' }, itemOf(2), itemOf(0)];
		const { items, error } = await send(dry, people);
		expect(error).toBeUndefined();
		expect(bench.contents()).toBe(before);
		expect(posts()).toEqual([]);
		const [json = {}] = jsonOf(items);
		expect(Object.keys(json).join(' ')).toBe(
			'summary wouldSend name recipients wouldReach failed leftOut duplicates price parts texts reasons notReached',
		);
		const { from, to } = json.price as { from: number; to: number };
		expect(from).toBeGreaterThan(0);
		expect(to).toBeGreaterThanOrEqual(from);
		const price = (value: number) =>
			value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 });
		expect(json).toMatchObject({
			summary: `Nothing was sent. 2 of 3 people would get this, about ${price(from)} to ${price(to)} RUB, within 'Price Limit' (1,000 RUB). To send, set 'Mode' to 'Send'.`,
			wouldSend: true,
			price: { currency: 'RUB', limit: 1000 },
			recipients: 3,
			wouldReach: 2,
			failed: 0,
			leftOut: 1,
			duplicates: 1,
			parts: 2,
			texts: [0, 2].map((index) => ({ text: textFor(itemOf(index)), parts: 1 })),
		});
	});

	test('nobody would get it: it says so instead of stopping', async () => {
		const { items, error } = await send(dry, [{ ...itemOf(0), phone: 'x' }]);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([
			{
				summary: 'Nothing was sent, and Send would stop. Nobody in the list can get the message.',
				recipients: 1,
				wouldReach: 0,
				leftOut: 1,
			},
		]);
	});

	test('a missing value stops Send, and the sentence says so', async () => {
		const people = [itemOf(0), { ...itemOf(1), name: null }];
		const { items } = await send(dry, people);
		expect(items[0]?.json.summary).toBe(
			"Nothing was sent, and Send would stop. 1 of 2 people has no value for a placeholder, and 'If a Placeholder Has No Value' is 'Stop Before Anything Is Sent'.",
		);
		expect((await send({}, people)).error?.message).toContain('There is no value for {name}');
	});
});

describe('the title is the reason', () => {
	const untold = { status: 400, body: '{"error":"No"}' };
	const act = async (move: string) => await bench.run(`dispatch.${move}`, { id: byId(firstNew) });
	/** A dispatch in this state. */
	const bring = async (status: string) => {
		await run(status === 'CREATED' ? 'create' : 'send');
		if (status === 'STOPPED') await act('stop');
		if (status === 'COMPLETED') await bench.sandbox.advance(3_600_000);
		expect(statuses()).toEqual([status]);
	};

	test.each(['create', 'send'])('%s: the company is disabled', async (operation) => {
		const { error } = await run(operation, { companyId: byId(travel) }, [itemOf(0)]);
		expect(error?.message).toBe(`Company ${travel} is disabled`);
		expect(error?.description).toBe("Nothing was sent. Choose another company in 'Company'.");
		expect(posts()).toEqual([]);
	});

	test('the company is disabled meanwhile, whatever the words of the service are', async () => {
		dispatches.intercept('POST', '/dispatches', () => {
			Object.assign(bench.store.companies.get(flowers) ?? {}, { status: 'DISABLED' });
			return failing(400, untold);
		});
		const { error } = await send({}, [itemOf(0)]);
		expect(error?.message).toBe(`Company ${flowers} is disabled`);
		expect(error?.httpCode).toMatch(/^4/);
		expect(error?.description).toMatch(/^Nobody got a message from this run\. /);
		expect(created()).toEqual([]);
	});

	test('the company cannot be looked up: the rejection is still told', async () => {
		for (const path of ['*/companies*', '*/company*'])
			bench.fault('status', 'GET', path, { ...untold, times: 100 });
		bench.fault('status', 'POST', '*/dispatches', untold);
		const { error } = await send({ companyId: byId(travel) }, [itemOf(0)]);
		expect(error?.message).toBe('The service rejected the request as invalid');
	});

	test.each([
		['start', 'STARTED'],
		['start', 'COMPLETED'],
		['stop', 'STOPPED'],
	])('%s: one that is %s is green', async (move, status) => {
		await bring(status);
		bench.fault('status', 'POST', `*/${move}`, untold);
		const result = await act(move);
		expect(result.error).toBeUndefined();
		expect(jsonOf(result.items)).toEqual([{ dispatchId: firstNew, status }]);
		const hints = [`Dispatch ${firstNew} was started before, so it wasn't started again.`];
		expect(hintsOf(result)).toEqual(move === 'start' ? hints : []);
	});

	test.each([
		['start', 'STOPPED', 'was stopped'],
		['stop', 'CREATED', "isn't started, so there is nothing to stop"],
		['stop', 'COMPLETED', 'is already completed, so there is nothing to stop'],
	])('%s: one that is %s, whatever the words of the service are', async (move, status, words) => {
		await bring(status);
		bench.fault('status', 'POST', `*/${move}`, untold);
		expect((await act(move)).error?.message).toBe(`Dispatch ${firstNew} ${words}`);
	});

	test.each([
		['STARTED', "was already started, so recipients can't be added"],
		['COMPLETED', "was already sent, so recipients can't be added"],
		['STOPPED', "was started and stopped, so recipients can't be added"],
	])('Add Messages: one that is %s', async (status, words) => {
		await bring(status);
		const { error } = await run('addMessages', { id: byId(firstNew) }, [itemOf(7)]);
		expect(error?.message).toBe(`Dispatch ${firstNew} ${words}`);
		expect(destinations()).toHaveLength(3);
	});

	test('Start: one that Send has left, and the others of the run are told', async () => {
		await run('create', { name: 'A' }, [itemOf(0)]);
		await send({ name: 'B', priceLimit: 0.01 }, [itemOf(1)]);
		const { error } = await bench.run(
			'dispatch.start',
			{ id: byId('={{ $json.dispatchId }}') },
			{ items: [{ dispatchId: firstNew }, { dispatchId: firstNew + 1 }] },
		);
		expect(error?.message).toBe(
			`Dispatch ${firstNew + 1} was left by 'Send', which starts its dispatches itself`,
		);
		expect(error?.context?.item).toBe(2);
		// Counted from 1, as people do.
		expect(error?.description).toContain('Done: item 1. Failed: item 2.');
		expect(error?.description).toContain(
			"This run didn't start it. Run 'Send' again: it sends to everybody who doesn't have it yet.",
		);
		expect(statuses()).toEqual(['STARTED', 'CREATED']);
	});

	test('Start: one that holds fewer people than it was made for', async () => {
		await run('create', {}, itemsUpTo(3));
		show(firstNew, 2);
		expect((await act('start')).error).toMatchObject({
			message: `Dispatch ${firstNew} contains 2 of the 3 people that it was made for`,
			description:
				"This run didn't start it. Run 'Create' again, and start the dispatch that it returns.",
		});
	});

	test.each([
		[7.99, "The price estimate is 8 RUB, but 'Price Limit' is 7.99 RUB"],
		[8, undefined],
	])('Start: with a price limit of %d RUB', async (priceLimit, message) => {
		await run('create');
		const { error } = await bench.run('dispatch.start', { id: byId(firstNew), priceLimit });
		expect(error?.message).toBe(message);
		expect(error?.description).toBe(
			message && "This run didn't start it. Change 'Price Limit' and run it again.",
		);
		expect(statuses()).toEqual([message === undefined ? 'STARTED' : 'CREATED']);
	});
});

describe('nothing hides what was or was not sent', () => {
	test('the service shows no message after the wait: a hint says so', async () => {
		tempo.onPause = (ms) => bench.sandbox.tick(ms);
		answer('*/messages', { total: 0, items: [] });
		const result = await send({ waitUntilDelivered: true });
		expect(hintsOf(result)).toContain(
			"The service doesn't report a known status for 3 messages. Use 'Get Report' later.",
		);
		expect(jsonOf(result.items)).toMatchObject([{ recipients: 3, reached: 0, unknown: 3 }]);
	});

	test.each<[string, object, string]>([
		['in another year', { startedAt: '2001-03-02T15:00:00Z' }, ' (2 Mar 2001, 10:00)'],
		['at an unknown time', { createdAt: '2001-03-02T15:00:00Z' }, ' (2 Mar 2001, 10:00)'],
		['and has no times', {}, ''],
	])('Stop: it was sent %s', async (_, shown, words) => {
		const items = [{ id: firstNew, name: 'Spring sale', status: 'STARTED', ...shown }];
		answer('*/dispatches', { total: 1, items });
		const { error } = await send({ ifSent: 'stop' });
		expect(error?.message).toBe(`This was already sent as dispatch ${firstNew}${words}`);
		expect(posts()).toEqual([]);
	});

	test('the list does not show what this process has started: nothing is sent', async () => {
		await send();
		bench.store.settings.dialect.indexLagMs = 3_600_000;
		const { error } = await send();
		expect(error?.message).toBe('The node couldn\'t check who already has "Spring sale"');
		expect(error?.description).toBe(
			'Nobody got a message from this run. Run it again in a few minutes.',
		);
		expect(error?.context?.code).toBe('unreadable');
		expect(posts()).toEqual(sentOnce);
	});

	test('it was not even created: the next run sends', async () => {
		bench.fault('status', 'POST', '*/dispatches', { status: 400 });
		expect((await send()).error).toBeDefined();
		expect((await send()).error).toBeUndefined();
		expect(statuses()).toEqual(['STARTED']);
	});

	test('it was sent and stopped: never green, also under another name', async () => {
		await send();
		await bench.run('dispatch.stop', { id: byId(firstNew) });
		for (const name of ['Spring sale', 'Summer sale']) {
			const { error } = await send({ name });
			expect(error?.message).toBe(`Dispatch ${firstNew} was stopped`);
			expect(error?.description).toBe(
				"It contains 3 of these people, and some of them may have got the message. Nobody got a message from this run. To send to all of them again, set 'If It Was Sent Before' to 'Send Anyway'.",
			);
			expect(error?.context?.code).toBe('ended');
		}
		expect(created()).toEqual([firstNew]);
	});

	test.each([
		['define', { messages: { recipient: [{ destination: numberOf(0), customText: 'Hello' }] } }],
		['json', { messagesJson: JSON.stringify([{ destination: numberOf(0), customText: 'Hi' }]) }],
	])('%s beside three input items: nobody gets it three times', async (recipients, list) => {
		const result = await send({ recipients, ...list });
		expect(result.error).toBeUndefined();
		expect(jsonOf(result.items)).toMatchObject([{ recipients: 1, onTheWay: 1, duplicates: 2 }]);
		expect(created().map(destinations)).toEqual([[numberOf(0)]]);
		expect(posts()).toEqual(sentOnce);
		expect(hintsOf(result).join(' ')).toContain('2 duplicate phone numbers');
		// Under different names they are different dispatches, by choice.
		const apart = await send({ recipients, ...list, name: '={{ $json.name }}', ifSent: 'anyway' });
		expect(apart.error).toBeUndefined();
		expect(hintsOf(apart).join(' ')).toContain("If you wanted only one, turn on 'Execute Once'");
	});

	test.each<[string, INodeParameters, string]>([
		['the price', { priceLimit: 0.01 }, "but 'Price Limit' is 0.01 RUB"],
		['the currency', { priceCurrency: 'USD' }, "but 'Price Limit' is in USD"],
		['too few people', { minimumPeople: 10 }, "'Minimum Accepted (Recipients)' is 10"],
		['the company', { companyId: byId(travel) }, `Company ${travel} is disabled`],
		['no such company', { companyId: byId(999) }, "Company 999 doesn't exist in this"],
		['the sender', { senderIds: [999] }, "'Sender Names or IDs' can't be used"],
		['the callback', { callbackUrl: 'https://example.com/webhook/x/fast' }, 'Callback'],
	])('Dry Run says what would keep Send from sending: %s', async (_, more, words) => {
		const { items, error } = await send({ mode: 'dryRun', ...more });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ wouldSend: false, wouldReach: 0 }]);
		expect(jsonOf(items)[0]?.summary).toMatch(/^Nothing was sent, and Send would stop\. /);
		expect(jsonOf(items)[0]?.summary).toContain(words);
		expect(posts()).toEqual([]);
	});

	test('Dry Run, and it was sent: says what Send would do', async () => {
		await send();
		const summaryOf = async (ifSent: string) => {
			const { items } = await send({ ifSent, mode: 'dryRun' });
			const [{ summary, wouldReach } = {}] = jsonOf(items);
			expect(wouldReach).toBe(ifSent === 'anyway' ? 3 : 0);
			return String(summary);
		};
		expect(await summaryOf('stop')).toMatch(
			/^Nothing was sent, and Send would stop\. This was already sent as dispatch /,
		);
		expect(await summaryOf('new')).toBe(
			`Nothing was sent, and Send would send nothing new: 3 people have it already, in dispatch ${firstNew} (${timeOf(storedAs()?.startedAt)}): 0 reached, 0 failed, 3 on the way.`,
		);
		expect(await summaryOf('anyway')).toMatch(/^Nothing was sent\. 3 of 3 people would get this/);
		const { items } = await send({ mode: 'dryRun' }, itemsUpTo(4));
		expect(jsonOf(items)).toMatchObject([
			{
				summary: expect.stringContaining('1 of 4 people would get this, and 3 have it already'),
				wouldSend: true,
				wouldReach: 1,
				hasItAlready: 3,
			},
		]);
	});

	test('fields called reason and outcome survive Preview, so that Send can follow', async () => {
		const people = [{ ...itemOf(0), reason: 'Your birthday', outcome: 'A gift' }];
		const more = { text: '{name}: {reason}, {outcome}', output: 'recipients' };
		const { items } = await run('preview', more, people);
		const { error } = await send(more, jsonOf(items));
		expect(error).toBeUndefined();
		expect(textsOf()).toEqual(['Name 0: Your birthday, A gift']);
	});

	test('a stopped dispatch after the wait: one hint, not two that contradict', async () => {
		// The looks before the start.
		show(firstNew, 3, { status: 'STOPPED', messages: { total: 3, pending: 3 } }, { after: 2 });
		const result = await send({ waitUntilDelivered: true });
		const hints = hintsOf(result).join(' ');
		expect(hints).toContain('was stopped, so there was nothing to wait for');
		expect(hints).not.toContain('may still be pending');
	});

	test('the example of the JSON field reaches nobody', async () => {
		const { default: example } = fieldOf('messagesJson', 'send');
		const list = { recipients: 'json', messagesJson: String(example) };
		const { error } = await send({ ...list, text: 'Hello {name}' });
		expect(error?.message).toMatch(/^There are no valid recipients/);
		expect(posts()).toEqual([]);
	});
});
