import type { NodeResult } from '../support/n8n.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import { block, firstNew, fromItems, itemsUpTo, messagesOf, numberOf } from './recipients.cts';
import {
	changing,
	dispatchOf,
	failing,
	replying,
	useDispatches,
	usePausesOfService,
	type Request,
} from './useDispatches.cts';

// Pauses take no time for us, and their time for the service.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** Something happens between two steps, in another run or by a person: nobody gets it twice, and nothing untrue is said. */

const dispatches = useDispatches();
usePausesOfService(dispatches);
const { bench, run, created, destinations, answer, started, onRequest } = dispatches;
const minute = 60_000;

const createdAt = '2026-03-02T07:00:00.000Z';
const shown = (id: number, total: number, priceEstimate: number, status = 'CREATED') =>
	dispatchOf(id, total, { status, priceEstimate, createdAt });

test('a lost start is not sent again when the half hour of its claim is over', async () => {
	const begun = tempo.pausedMs;
	const minutes = () => (tempo.pausedMs - begun) / minute;
	let reads = 0;
	let startRequests = 0;
	let other: NodeResult | undefined;
	let isOther = false;
	onRequest(({ method, path }) => {
		if (isOther) return undefined;
		if (path.endsWith(`/dispatches/${firstNew}/start`) && ++startRequests === 1) {
			return failing(504);
		}
		if (method === 'GET' && path.endsWith(`/dispatches/${firstNew}`)) {
			// Filling took long.
			if (++reads === 1) {
				tempo.pausedMs += 24 * minute;
				bench.sandbox.tick(24 * minute);
			}
			if (startRequests === 1 && minutes() < 30.5) {
				return failing(503, { headers: { 'retry-after': '30' } });
			}
		}
		return undefined;
	});
	bench.flight.beforeAnswer = async () => {
		if (isOther || other !== undefined || startRequests !== 1 || minutes() < 30.5) return;
		isOther = true;
		const anew = { ...fromItems, nameExists: 'anew' };
		const credentials = bench.credentials({ accessToken: 'another process' });
		other = await bench.run('dispatch.send', anew, { items: itemsUpTo(3), credentials });
		isOther = false;
	};
	const { error } = await run('send', { nameExists: 'stop' }, 3);
	jest.restoreAllMocks();
	expect(other?.error).toBeUndefined();
	expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
	expect(startRequests).toBe(1);
	expect(started()).toEqual([firstNew + 1]);
});

describe('somebody starts a dispatch of this run', () => {
	const inBatches = { options: { batchSize: 2 } };
	afterEach(() => jest.restoreAllMocks());
	/** A person starts the first dispatch right before a request, once. What the service shows from then on may differ. */
	const startBefore = (
		isIt: (request: Request) => boolean,
		see: (request: Request, isStarted: boolean) => ReturnType<typeof replying> | undefined = () =>
			undefined,
	) => {
		let isStarted = false;
		onRequest((request) => {
			if (!isStarted && isIt(request)) {
				isStarted = true;
				const dispatch = bench.store.dispatches.get(firstNew);
				Object.assign(dispatch ?? {}, { status: 'STARTED', startedAt: '2026-03-02T07:00:00.000Z' });
			}
			return see(request, isStarted);
		});
	};
	const isList = ({ method, path }: Request) => method === 'GET' && path.endsWith('/dispatches');
	const isLook = ({ method, path }: Request) =>
		method === 'GET' && path.endsWith(`/dispatches/${firstNew}`);
	/** The list of dispatches, without their statuses. */
	const bareList = () => {
		const items = created().map((id) => ({ id, name: 'Spring sale', createdAt }));
		return replying({ total: items.length, items });
	};
	const refuseAppends = (id = firstNew, times = 1_000) =>
		bench.fault('status', 'POST', `*/dispatches/${id}/messages`, { status: 400, times });
	const isAppend = ({ method, path }: Request) =>
		method === 'POST' && path.endsWith(`/dispatches/${firstNew}/messages`);
	const unclear = `Dispatch ${firstNew} may have been started by another run or a person: its status isn't known`;
	const titled = `Dispatch ${firstNew} was started by another run or a person before this run could start it`;

	test('it is shown as unstarted, but with a time of its start: it may have been started', async () => {
		answer(`*/dispatches/${firstNew}`, {
			...shown(firstNew, 3, 1, 'CREATED'),
			startedAt: createdAt,
		});
		const { error } = await run('send', { nameExists: 'stop' }, 3);
		expect(error?.message).toBe(unclear);
		expect(started()).toEqual([]);
	});

	test.each(['stop', 'anew', 'another'])(
		'%s, while it is filled: no try sends its people again, and nothing untrue is said',
		async (nameExists) => {
			startBefore(isAppend);
			const { error } = await run('send', { ...inBatches, nameExists }, 4, 3);
			expect(error?.message).toBe(titled);
			expect(error?.description).toContain('Its recipients may get the message.');
			expect(error?.description).not.toContain('Nobody got a message');
			expect([created(), started()]).toEqual([[firstNew], [firstNew]]);
		},
	);

	test('and on retry a placeholder has no value: the error still says that it was started', async () => {
		startBefore(isAppend, (request, isStarted) => {
			// From now on the expression gives another text.
			if (isStarted && isAppend(request)) tempo.pausedMs += 1_000_000;
			return undefined;
		});
		const text = changing("'Hi {name}'", "'Hi {nothing}'");
		const { error } = await run('send', { ...inBatches, nameExists: 'stop', text }, 4, 2);
		expect(error?.description).toContain(
			`${titled}. Nothing was sent for this item in this attempt.`,
		);
		expect([created(), started()]).toEqual([[firstNew], [firstNew]]);
	});

	test.each(['stop', 'anew', 'another'])(
		'%s, after a lost request spoiled it: the new one is not started',
		async (nameExists) => {
			bench.fault('reset', 'POST', `*/dispatches/${firstNew}/messages`);
			startBefore(
				({ method, path }) =>
					method === 'POST' && path.endsWith(`/dispatches/${firstNew + 1}/messages`),
			);
			const { error } = await run('send', { ...inBatches, nameExists }, 4, 2);
			expect(error?.message).toBe(titled);
			expect(started()).toEqual([firstNew]);
		},
	);

	test.each([
		['stop', 'as started', undefined, titled],
		['anew', 'as started', undefined, titled],
		['another', 'as started', undefined, titled],
		['stop', 'without a status', replying({ id: firstNew, name: 'Spring sale' }), unclear],
		['stop', 'not at all', failing(403), unclear],
	])(
		'%s, between two tries, the list has no statuses, and a look shows it %s: nothing is created',
		async (nameExists, _, shown, title) => {
			refuseAppends();
			let tries = 0;
			startBefore(
				(request) => isList(request) && ++tries === 2,
				(request, isStarted) => {
					if (isList(request)) return bareList();
					return isStarted && isLook(request) ? shown : undefined;
				},
			);
			const { error } = await run('send', { ...inBatches, nameExists }, 4, 2);
			expect(error?.message).toBe(title);
			expect([created(), started()]).toEqual([[firstNew], [firstNew]]);
		},
	);

	test('and the list has no statuses, after a lost request spoiled it: the new one is not started', async () => {
		bench.fault('reset', 'POST', `*/dispatches/${firstNew}/messages`);
		startBefore(
			({ path }) => path.endsWith(`/dispatches/${firstNew + 1}/messages`),
			(request) => (isList(request) ? bareList() : undefined),
		);
		const { error } = await run('send', { ...inBatches, nameExists: 'stop' }, 4);
		expect(error?.message).toBe(titled);
		expect(started()).toEqual([firstNew]);
	});

	test('while it is filled, and it is shown without a status: nobody says that nobody got a message', async () => {
		startBefore(isAppend, (request, isStarted) =>
			isStarted && isLook(request) ? replying({ id: firstNew, name: 'Spring sale' }) : undefined,
		);
		const { error } = await run('send', { ...inBatches, nameExists: 'stop' }, 4);
		expect(error?.message).toBe(unclear);
		expect(error?.description).toMatch(/Its recipients may get the message.*The service says:/);
		expect(error?.description).not.toContain('Nobody got a message');
	});

	test.each(['stop', 'anew', 'another'])(
		'%s, one of two with the same name in different channels: the other one is sent',
		async (nameExists) => {
			refuseAppends(firstNew);
			refuseAppends(firstNew + 1);
			let tries = 0;
			startBefore((request) => isList(request) && ++tries === 2);
			const channelType = '={{ $json.code < 2 ? "VIBER" : "SMS" }}';
			const more = { nameExists, channelType, senderIds: undefined, options: { batchSize: 1 } };
			const { items } = await run('send', more, 4, { tries: 2, onError: 'continueRegularOutput' });
			expect(started()).toEqual([firstNew, firstNew + 2]);
			const [first, second] = jsonOf(items);
			expect(JSON.stringify(first?.error)).toContain(titled);
			expect(second).toMatchObject({ dispatchId: firstNew + 2, onTheWay: 2 });
		},
	);

	test.each(['stop', 'another'])(
		'%s, between two tries: the second one creates nothing',
		async (nameExists) => {
			bench.fault('status', 'POST', `*/dispatches/${firstNew}/messages`, {
				status: 400,
				times: 1_000,
			});
			let tries = 0;
			startBefore(({ method, path }) => {
				if (method === 'GET' && path.endsWith('/dispatches')) tries++;
				return tries === 2;
			});
			const { error } = await run('send', { ...inBatches, nameExists }, 4, 2);
			expect(error?.message).toBe(titled);
			expect([created(), started()]).toEqual([[firstNew], [firstNew]]);
		},
	);

	test.each(['stop', 'another'])(
		'%s, one of two dispatches, between two tries: the other one is sent',
		async (nameExists) => {
			const refuse = (id: number, times: number) =>
				bench.fault('status', 'POST', `*/dispatches/${id}/messages`, { status: 400, times });
			refuse(firstNew, 1_000);
			// Several at a time, then one at a time.
			refuse(firstNew + 1, 2);
			let tries = 0;
			startBefore(({ method, path }) => {
				if (method === 'GET' && path.endsWith('/dispatches')) tries++;
				return tries === 2;
			});
			const name = '={{ "Part " + ($itemIndex % 2) }}';
			const { items } = await run('send', { ...inBatches, nameExists, name }, 6, {
				tries: 2,
				onError: 'continueRegularOutput',
			});
			expect(started()).toEqual([firstNew, firstNew + 2]);
			const told = jsonOf(items);
			expect(told.filter(({ error }) => error !== undefined)).toHaveLength(1);
			expect(JSON.stringify(told[0]?.error)).toContain(titled);
			expect(told[1]).toMatchObject({ dispatchId: firstNew + 2, onTheWay: 3 });
		},
	);

	test('before the last look at the list: not started by this run, whatever the limit', async () => {
		startBefore(
			({ method, path }) =>
				method === 'GET' && path.endsWith('/dispatches') && created().length > 0,
		);
		const { error } = await run('send', { nameExists: 'stop', priceLimit: 0.01 }, 3);
		expect(error?.message).toBe(titled);
		expect(bench.sent('POST', `/dispatches/${firstNew}/start`)).toBe(0);
	});

	test.each(['SENDING', 'started', ''])(
		'and it is shown as "%s": nobody else is messaged',
		async (status) => {
			answer(`*/dispatches/${firstNew}`, { ...shown(firstNew, 3, 1, status) });
			const { error } = await run('send', { nameExists: 'stop' }, 3, 2);
			expect(error?.message).toBe(
				`Dispatch ${firstNew} may have been started by another run or a person: its status isn't known`,
			);
			expect(created()).toEqual([firstNew]);
		},
	);
});

describe('the list is behind, but this process knows what became of the name', () => {
	const nothing = { total: 0, items: [] };
	const inBatches = { options: { batchSize: 2 } };
	const mayBeSent = `"Spring sale" may already have been sent as dispatch ${firstNew}`;
	test.each([
		[
			'a person started it',
			() => answer(`*/dispatches/${firstNew}`, shown(firstNew, 4, 1, 'STARTED')),
			mayBeSent,
		],
		[
			'a person may have started it',
			() => answer(`*/dispatches/${firstNew}`, shown(firstNew, 4, 1, 'SENDING')),
			mayBeSent,
		],
		[
			'its start was lost',
			() => {
				bench.fault('reset', 'POST', '*/start', { times: 2 });
			},
			mayBeSent,
		],
		[
			'the second one was sent, after a lost request spoiled the first',
			() => bench.fault('reset', 'POST', `*/dispatches/${firstNew}/messages`),
			`"Spring sale" was already sent as dispatch ${firstNew + 1}`,
		],
	])('%s: Begin Anew creates nothing', async (_, prepare, title) => {
		prepare();
		await run('send', { ...inBatches, nameExists: 'stop' }, 4);
		const before = created();
		answer('/dispatches', nothing);
		const { error } = await run('send', { ...inBatches, nameExists: 'anew' }, 4);
		expect(error?.message).toBe(title);
		expect(created()).toEqual(before);
	});

	test('five minutes later the list shows a sent one as unstarted: ours is not started', async () => {
		await run('send', { nameExists: 'stop' }, 3);
		tempo.pausedMs += 5 * minute;
		onRequest(({ method, path }) => {
			if (method !== 'GET' || !path.endsWith('/dispatches')) return undefined;
			const items = created().map((id) => shown(id, 3, 1));
			return replying({ total: items.length, items });
		});
		const { error } = await run('send', { nameExists: 'anew' }, 3);
		jest.restoreAllMocks();
		expect(error?.message).toContain(`dispatch ${firstNew} with this name was created first`);
		expect(started()).toEqual([firstNew]);
	});
});

describe('the counts fit, but not the people', () => {
	test('a refused request was carried out and is sent again, and one number is rejected', async () => {
		block(bench.sandbox, [numberOf(1)]);
		// The first request then has recipient 0, and the second further one recipient 2.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		bench.fault('commit-then-status', 'POST', `*/dispatches/${firstNew}/messages`, {
			status: 409,
			after: 1,
		});
		onRequest(({ method, path }) => {
			if (method !== 'GET' || !path.endsWith(`/dispatches/${firstNew}`)) return undefined;
			// The service counts only those whom it accepted.
			const total = destinations(firstNew).filter((number) => number !== numberOf(1)).length;
			return replying(shown(firstNew, total, 1));
		});
		await run('send', { options: { batchSize: 1 } }, 5);
		jest.restoreAllMocks();
		expect(destinations(firstNew).filter((number) => number === numberOf(2))).toHaveLength(2);
		expect(started()).not.toContain(firstNew);
	});

	test('the list shows a confirmed one as rejected: it does not count as accepted', async () => {
		answer(`*/dispatches/${firstNew}`, {
			...shown(firstNew, 3, 1),
			messages: { total: 3, failed: 1 },
		});
		onRequest(({ method, path }) => {
			if (method !== 'GET' || !path.endsWith('/messages')) return undefined;
			const items = messagesOf(bench.sandbox, firstNew).map(({ destination, uuid }, index) => ({
				destination,
				messageUuid: uuid,
				status: index === 0 ? 'FAILED' : 'CREATED',
			}));
			return replying({ total: items.length, items });
		});
		const { error } = await run('send', { nameExists: 'stop', minimumPeople: 3 }, 3);
		jest.restoreAllMocks();
		expect(error?.message).toContain('Only 2 recipients are accepted');
		expect(started()).toEqual([]);
	});
});

test('a dispatch that was left is started with Start, and the list does not show it yet: Begin Anew stops', async () => {
	await run('send', { nameExists: 'stop', priceLimit: 0.01 }, 3);
	await bench.run('dispatch.start', { id: byId(firstNew) });
	onRequest(({ method, path }) => {
		if (method !== 'GET' || !path.endsWith('/dispatches')) return undefined;
		const items = created().map((id) => shown(id, 3, 1));
		return replying({ total: items.length, items });
	});
	const { error } = await run('send', { nameExists: 'anew' }, 3);
	jest.restoreAllMocks();
	expect(error?.description).toContain('Nobody got a message from this dispatch.');
	expect(started()).toEqual([firstNew]);
});

test('several requests, and the price that is read lags: their estimates are added up', async () => {
	answer(`*/dispatches/${firstNew}`, shown(firstNew, 6, 5));
	const { error } = await run('send', { priceLimit: 10, options: { batchSize: 2 } }, 6);
	expect(error?.message).toMatch(
		/^The price estimate is 15\.\d+ RUB, but 'Price Limit' is 10 RUB$/,
	);
	expect(started()).toEqual([]);
});

test('the check of a later dispatch stops the run: the names of the earlier ones are free again', async () => {
	await run('send', { name: 'B' }, 2);
	const two = { ...fromItems, nameExists: 'stop', name: '={{ $itemIndex < 2 ? "A" : "B" }}' };
	const { error } = await bench.run('dispatch.send', two, { items: itemsUpTo(4) });
	expect(error?.message).toContain('"B" was already sent');
	const again = await run('send', { nameExists: 'stop', name: 'A' }, 2);
	expect(again.error).toBeUndefined();
});

test('Retry On Fail after a start: a company that was disabled meanwhile does not hide the start', async () => {
	bench.fault('status', 'GET', `*/dispatches/${firstNew}`, { status: 403, after: 1, times: 1_000 });
	let isStarted = false;
	onRequest(({ path }) => {
		if (isStarted) {
			for (const company of bench.store.companies.values()) company.status = 'DISABLED';
		}
		isStarted ||= path.endsWith('/start');
		return undefined;
	});
	const { error } = await run('send', { nameExists: 'stop', waitUntilDelivered: true }, 5, 2);
	jest.restoreAllMocks();
	expect(error?.description).toContain(
		`Dispatch ${firstNew} was started and its messages are being sent, but their results couldn't be read. Use 'Get Report' to see them. Don't send it again.`,
	);
	expect(error?.description).not.toContain('Nothing was sent');
});

test('canceled while it waits for the results: the error says that the dispatch was started', async () => {
	const { error } = await run('send', { waitUntilDelivered: true }, 3, {
		onStart: (cancel) => {
			tempo.onPause = () => {
				if (started().length > 0) cancel();
			};
		},
	});
	expect(started()).toEqual([firstNew]);
	expect(error?.description).toContain(
		`Dispatch ${firstNew} was started and its messages are being sent, but the execution was canceled before their results were known. Use 'Get Report' to see them. Don't send it again.`,
	);
});

test('Retry On Fail with other people: the rows name those whom the first try sent to', async () => {
	bench.fault('commit-then-status', 'POST', '*/start', { status: 500 });
	let reads = 0;
	onRequest(({ method, path }) => {
		if (method !== 'GET' || !path.endsWith(`/dispatches/${firstNew}`)) return undefined;
		// The first try sees the dispatch before its start, and nothing after it.
		return ++reads > 1 && reads < 8 ? failing(403) : undefined;
	});
	const before = Date.now();
	tempo.onPause = (ms) => {
		bench.sandbox.tick(ms);
	};
	// The expression gives other people as soon as the start was sent.
	const messagesJson = `={{ JSON.stringify([${[0, 1, 2, 3].map((index) => `"${numberOf(index)}"`).join()}].slice(Date.now() - ${before} > 30000 ? 1 : 0).slice(0, 3).map((destination) => ({ destination, customText: "Hi" }))) }}`;
	const { items } = await run(
		'send',
		{ recipients: 'json', messagesJson, output: 'recipients' },
		[{}],
		2,
	);
	jest.restoreAllMocks();
	const held = messagesOf(bench.sandbox, firstNew);
	const rows = jsonOf(items).filter(({ messageUuid }) => messageUuid !== '');
	expect(rows).toHaveLength(3);
	for (const { destination, messageUuid } of rows) {
		expect(held.find(({ uuid }) => uuid === messageUuid)?.destination).toBe(destination);
	}
});

describe('the price of several requests that are estimated one by one', () => {
	test.each([
		['without parts in the messages', {}],
		['with a rejected recipient in the estimate', { parts: 1 }],
	])('%s: the estimates are added up', async (_, more) => {
		let requests = 0;
		onRequest(({ method, path }) => {
			const isCreate = method === 'POST' && path.endsWith('/dispatches');
			const isAppend = method === 'POST' && path.endsWith('/messages');
			if (method === 'GET' && path.endsWith(`/dispatches/${firstNew}`)) {
				return replying(shown(firstNew, 2, 6));
			}
			if (method === 'GET' && path.endsWith('/messages')) {
				return {
					...failing(200),
					body: JSON.stringify({
						total: 1,
						items: [{ destination: numberOf(0), messageUuid: 'm0' }],
					}),
				};
			}
			if (!isCreate && !isAppend) return undefined;
			const index = 2 * requests++;
			const messages = [{ destination: numberOf(index), messageUuid: `m${index}`, ...more }];
			const body = JSON.stringify({
				id: firstNew,
				total: 2,
				success: 1,
				failed: 1,
				messages,
				priceEstimate: { total: 6, currency: 'RUB', parts: 2 },
			});
			return { ...failing(200), body };
		});
		// The first request has recipients 0 and 3 of four, the second one 1 and 2.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const { error } = await run('send', { priceLimit: 10, options: { batchSize: 2 } }, 4);
		jest.restoreAllMocks();
		expect(error?.message).toBe("The price estimate is 12 RUB, but 'Price Limit' is 10 RUB");
	});
});

describe('Add Messages', () => {
	const add = async (tries?: number) =>
		await run('addMessages', { id: byId(firstNew), text: 'T' }, 3, tries);

	test('twice at the same moment: one adds, the other says why not', async () => {
		await run('create', { text: 'T' }, 1);
		bench.flight.beforeAnswer = async () => await new Promise((resolve) => setImmediate(resolve));
		const results = await Promise.all([add(), add()]);
		const errors = results.flatMap(({ error }) => error?.message ?? []);
		expect(errors).toEqual([`Another run is adding recipients to dispatch ${firstNew}`]);
		expect(destinations(firstNew)).toHaveLength(3);
	});

	test('Retry On Fail does not send a request again that may have been carried out', async () => {
		await run('create', { text: 'T' }, 1);
		bench.fault('status', 'POST', '*/messages', { status: 504 });
		const { error } = await add(2);
		expect(error?.message).toBe(`Not all recipients were added to dispatch ${firstNew}`);
		expect(bench.sent('POST', `/dispatches/${firstNew}/messages`)).toBe(1);
	});

	test('a row shows the text that the service stores', async () => {
		await run('create', { text: 'OLD' }, 2);
		const more = { id: byId(firstNew), text: 'NEW', output: 'recipients' };
		const { items } = await run('addMessages', more, 2);
		expect(jsonOf(items).map(({ text }) => text)).toEqual(['OLD', 'OLD']);
	});
});

test('a list shows as unstarted what this process has started half an hour later: Begin Anew does not send again', async () => {
	await run('create', { nameExists: 'stop' }, 3);
	bench.sandbox.tick(31 * minute);
	tempo.pausedMs += 31 * minute;
	const { now } = bench.sandbox;
	expect((await run('start', { id: byId(firstNew) }, 1)).error).toBeUndefined();
	const listed = (id: number, at: number) => ({
		...dispatchOf(id, 3),
		status: 'CREATED',
		createdAt: new Date(at).toISOString(),
	});
	const first = listed(firstNew, now - 31 * minute);
	answer('*/dispatches', { total: 1, items: [first] }, { times: 1 });
	answer('*/dispatches', { total: 2, items: [listed(firstNew + 1, now), first] });
	const { error } = await run('send', { nameExists: 'anew' }, 3);
	expect(started()).toEqual([firstNew]);
	expect(error?.message).toContain(`dispatch ${firstNew} with this name may have been started`);
});

test('a request to the second dispatch is rejected, while a person has started the first: the reason is about the second', async () => {
	bench.fault('reset', 'POST', `*/dispatches/${firstNew}/messages`);
	onRequest(({ method, path }) => {
		if (method !== 'POST' || !path.endsWith(`/dispatches/${firstNew + 1}/messages`))
			return undefined;
		const stored = bench.store.dispatches.get(firstNew);
		if (stored !== undefined) stored.status = 'STARTED';
		return failing(400, { code: 4000 });
	});
	const { error } = await run('send', { nameExists: 'stop', options: { batchSize: 2 } }, 4);
	expect(error?.message).not.toContain(`Dispatch ${firstNew} was already started`);
	expect(error?.description).toContain(`Dispatch ${firstNew + 1} exists but isn't started.`);
});
