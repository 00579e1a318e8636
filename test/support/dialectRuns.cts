import fc from 'fast-check';
import type { IDataObject, INodeParameters, INodeType, OnError } from 'n8n-workflow';
import { withoutCode } from '../../core/contract/dispatchName';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { demo } from '../../sandbox/demo.cts';
import { Dialect, dialectOptions, endpointNames } from '../../sandbox/api/dialect.cts';
import type { FaultKind } from '../../sandbox/api/faults.cts';
import { fromUnits } from '../../sandbox/stored/money.cts';
import { startSandbox, type RunningSandbox } from '../../sandbox/server.cts';
import { messagesOf, senderIds } from '../dispatch/recipients.cts';
import { giveUpLate } from './giveUp.cts';
import { runNode, type NodeResult } from './n8n.cts';
import { atTheirPlaces } from './places.cts';
import { accountOf, byId } from './sandbox.cts';
import { beginStorm, type Counts } from './storm.cts';
import { tempo } from './tempo.cts';

/** Any service, any weather, any operation that costs money, any values: what we promise holds. */

const numbers = ['79160000001', '79030000002', '79260000003', '79010000004', '79160000005'];
/** Blacklisted for the company: the service rejects it. */
const blocked = numbers[4] ?? '';

const faultKinds: FaultKind[] = [
	'status',
	'reset',
	'delay',
	'commit-then-reset',
	'commit-then-status',
];

/** Mostly as by default, so that single differences are tried too, and not only all at once. */
const sometimes = <T,>(options: readonly [T, ...T[]]) =>
	fc.oneof(
		{ weight: 3, arbitrary: fc.constant(options[0]) },
		{ weight: 1, arbitrary: fc.constantFrom(...options) },
	);

const dialect = fc.record({
	sendReply: sometimes(dialectOptions.sendReply),
	listEnvelope: sometimes(dialectOptions.listEnvelope),
	keyCase: sometimes(dialectOptions.keyCase),
	ownIds: sometimes(dialectOptions.ownIds),
	repeatedFilters: sometimes(dialectOptions.repeatedFilters),
	createReply: sometimes(dialectOptions.createReply),
	appendReply: sometimes(dialectOptions.appendReply),
	moveReply: sometimes(dialectOptions.moveReply),
	priceEstimate: sometimes(dialectOptions.priceEstimate),
	charges: sometimes(dialectOptions.charges),
	indexLagMs: sometimes([0, 1_000, 20_000, 100_000, 3_600_000]),
	pageSize: sometimes<Dialect['pageSize']>([
		{ most: null, mode: 'cut' },
		{ most: 2, mode: 'cut' },
		{ most: 20, mode: 'refuse' },
	]),
	emptyReplies: fc.oneof(
		{ weight: 9, arbitrary: fc.constant<string[]>([]) },
		{
			weight: 1,
			arbitrary: fc.subarray(
				endpointNames.filter((name) => /^(?:POST|PUT) /.test(name) && !name.includes('token')),
			),
		},
	),
	successStatus: sometimes([null, 202, 201]),
});

const weather = fc.record({
	seed: fc.nat(),
	rate: fc.constantFrom(0, 0.1, 0.3),
	status: fc.constantFrom(500, 502, 503, 429),
});

/** What an expression may yield for a number that is a guard. `undefined` inside means that it yields nothing. */
const guard = fc.oneof(
	{ weight: 3, arbitrary: fc.constant<{ value: unknown } | undefined>(undefined) },
	{ weight: 3, arbitrary: fc.constantFrom(0, 1, 5, 1_000).map((value: unknown) => ({ value })) },
	{
		weight: 1,
		arbitrary: fc
			.constantFrom(undefined, null, '', 'abc', '8,70', {}, [])
			.map((value: unknown) => ({ value })),
	},
);

const item = fc.record({
	/** Where it goes: an index of the numbers, or something that is no number. */
	to: fc.oneof(
		{ weight: 9, arbitrary: fc.nat(numbers.length - 1) },
		{ weight: 1, arbitrary: fc.constant(-1) },
	),
	text: fc.constantFrom('Hello', 'Hello {name}', 'Сезон скидок'),
});

const scenario = fc.record({
	operation: fc.constantFrom(
		'message.send',
		'message.sendCascade',
		'dispatch.send',
		'dispatch.create',
		'dispatch.addMessages',
		'company.create',
	),
	items: fc.array(item, { minLength: 1, maxLength: 5 }),
	dialect,
	weather,
	priceLimit: guard,
	minimumAccepted: guard,
	/** A run before it, in good weather: it may prove that looking works. */
	hasEarlier: fc.boolean(),
	sinceEarlierMs: fc.constantFrom(100, 10_000, 120_000, 7_200_000),
	ownIds: fc.boolean(),
	personal: fc.boolean(),
	/** `undefined` means that nothing is chosen: then nobody gets the same twice. */
	ifSent: fc.constantFrom(undefined, 'new', 'stop', 'anyway'),
	/** `undefined` means that nothing is chosen: then a limit that is passed is an error. */
	whenPassed: fc.constantFrom(undefined, 'error', 'leave'),
	batchSize: fc.constantFrom(1, 2, 1_000),
	onError: fc
		.constantFrom<Array<OnError | undefined>>(undefined, undefined, 'continueRegularOutput')
		.map((value) => value as OnError | undefined),
	tries: fc.constantFrom(1, 1, 2),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const phoneOf = (to: number) => (to < 0 ? 'no number' : `+${numbers[to] ?? ''}`);

const parametersOf = (one: Scenario, dispatchId: number): INodeParameters => {
	const { operation, ownIds, personal, ifSent, batchSize } = one;
	const { priceLimit, minimumAccepted, whenPassed } = one;
	const text = personal ? '={{ $json.text }}' : 'Hello {name}';
	if (operation.startsWith('message.')) {
		const own = ownIds ? { externalMessageId: '={{ $json.id }}' } : {};
		if (operation === 'message.send') {
			return {
				channelType: 'SMS',
				senderName: demo.senderNames.sms,
				destination: '={{ $json.phone }}',
				text: '={{ $json.text }}',
				...own,
			};
		}
		const step = [{ channelType: 'SMS', senderName: demo.senderNames.sms, text: 'Hello' }];
		return { destination: '={{ $json.phone }}', cascade: { step }, ...own };
	}
	if (operation === 'company.create') {
		return {
			name: '={{ $json.id }}',
			counteragentType: 'LEGAL',
			counteragentInn: '1',
			...(priceLimit && { additionalFields: { budget: '={{ $json.guard }}' } }),
		};
	}
	const limits = {
		...(whenPassed && { whenPassed }),
		...(minimumAccepted && { minimumAccepted: '={{ $json.share }}' }),
	};
	return {
		companyId: byId(demo.companies.flowers),
		...(operation === 'dispatch.addMessages' && { id: byId(dispatchId) }),
		name: 'Drawn',
		channelType: 'SMS',
		senderIds,
		text,
		recipients: 'items',
		destination: '={{ $json.phone }}',
		batchSize,
		missingValues: 'empty',
		...(ifSent && { ifSent }),
		...(operation === 'dispatch.send' && limits),
		...(operation === 'dispatch.send' && priceLimit && { priceLimit: '={{ $json.guard }}' }),
	};
};

const itemsOf = ({ items, priceLimit, minimumAccepted }: Scenario): IDataObject[] =>
	items.map(({ to, text }, index) => ({
		phone: phoneOf(to),
		text,
		name: `Name ${index}`,
		id: `drawn-${index}`,
		// As an expression may give it: anything.
		guard: priceLimit?.value as IDataObject[string],
		share: minimumAccepted?.value as IDataObject[string],
	}));

const isNumber = (value: unknown) => typeof value === 'number';
/** A guard that was added and yields no number. */
const isUnfit = (value: { value: unknown } | undefined) =>
	value !== undefined && !isNumber(value.value);

const unclear = /undefined|\[object|\bNaN\b|Cannot read|is not a function|is not iterable/;
const wordsOf = ({ message, description }: NonNullable<NodeResult['error']>) =>
	`${message} ${description ?? ''}`;
/** The node says that it does not know. */
const isOpen = (words: string) => /not known/.test(words);

export const useDialectRuns = (counts: Counts) => {
	let running: RunningSandbox;
	beforeAll(async () => {
		running = await startSandbox({
			port: 0,
			speed: 0,
			now: Date.UTC(2026, 2, 2, 7),
			onSilence: giveUpLate,
		});
	});
	afterAll(async () => await running.close());

	const messaging = new BulkMessaging();
	const partner = new BulkMessagingPartner();

	const run = async (
		one: Scenario,
		dispatchId: number,
		items = itemsOf(one),
	): Promise<NodeResult> => {
		const [resource = '', operation = ''] = one.operation.split('.');
		const node: INodeType = resource === 'message' ? messaging : partner;
		return await runNode({
			node,
			parameters: atTheirPlaces(node, { resource, operation, ...parametersOf(one, dispatchId) }),
			items,
			onError: one.onError,
			tries: one.tries,
			credentials: {
				bulkMessagingApi: {
					baseUrl: running.messagingUrl,
					apiKey: demo.apiKey,
					scheme: 'Bearer',
					...accountOf(running.sandbox),
				},
				bulkMessagingPartnerApi: {
					baseUrl: running.partnerUrl,
					login: demo.login,
					password: demo.password,
					// Not used with a login.
					accessToken: accountOf(running.sandbox).login,
				},
			},
		});
	};

	const singles = () =>
		[...running.sandbox.world.store.byUuid.values()].filter(({ single }) => single !== undefined);
	const drawn = () =>
		[...running.sandbox.world.store.dispatches.values()].filter(
			({ name }) => withoutCode(name) === 'Drawn',
		);

	/** How often each number has a message that the service took. */
	const countsOf = (destinations: readonly string[]) => {
		const found = new Map<string, number>();
		for (const one of destinations) found.set(one, (found.get(one) ?? 0) + 1);
		return found;
	};

	const shownBy = ({ items, error }: NodeResult) => {
		return `${JSON.stringify(items.map(({ json }) => json))} ${error === undefined ? '' : wordsOf(error)}`;
	};

	const checkWords = (result: NodeResult, wrong: string[]) => {
		const { error, items } = result;
		if (error !== undefined && !/^Node(?:Api|Operation)Error$/.test(error.name))
			wrong.push(`error ${error.name}`);
		if (error !== undefined && !error.description) wrong.push('an error without a description');
		const texts = items.map(({ json }) => String(json.error ?? json.reason ?? ''));
		// What the service sent is quoted as it is.
		const said = [...texts, error === undefined ? '' : wordsOf(error)].find((words) =>
			unclear.test(words.replace(/"NaN"/g, '')),
		);
		if (said !== undefined) wrong.push(`words of a program: ${said}`);
	};

	/** Messages: nobody twice, nobody said to have it who has not, nobody said not to have it who has. */
	const checkMessages = (
		one: Scenario,
		result: NodeResult,
		before: Map<string, number>,
		wrong: string[],
	) => {
		const wanted = countsOf(one.items.flatMap(({ to }) => (to < 0 ? [] : (numbers[to] ?? []))));
		const found = countsOf(singles().map(({ destination }) => destination));
		const sentTo = (number: string) => (found.get(number) ?? 0) - (before.get(number) ?? 0);
		for (const number of found.keys()) {
			if (sentTo(number) > (wanted.get(number) ?? 0)) {
				counts.duplicated++;
				wrong.push(`${number} got ${sentTo(number)} messages for ${wanted.get(number) ?? 0} items`);
			}
		}
		const { error, items } = result;
		if (error !== undefined) {
			const { accepted, unknownOwnIds = [] } = (error.context ?? {}) as {
				accepted?: number;
				unknownOwnIds?: string[];
			};
			const sum = [...found.keys()].reduce((all, number) => all + sentTo(number), 0);
			const isExact = !isOpen(wordsOf(error)) && unknownOwnIds.length === 0;
			if (isExact && sum !== (accepted ?? 0))
				wrong.push(`${sum} were sent, and the error says ${accepted ?? 0}`);
			return;
		}
		for (const [index, { json }] of items.entries()) {
			const number = numbers[one.items[index]?.to ?? -1] ?? '';
			const isThere = (found.get(number) ?? 0) > 0;
			if (json.outcome === 'accepted' && !isThere)
				wrong.push(`item ${index} is said to be accepted`);
			const words = String(json.error ?? '');
			if (words === '' || isOpen(words) || number === '') continue;
			const isAlone = wanted.get(number) === 1 && !before.has(number);
			if (isAlone && sentTo(number) > 0)
				wrong.push(`item ${index} is said not to be sent: ${words}`);
		}
		if (items.length !== one.items.length)
			wrong.push(`${items.length} items for ${one.items.length}`);
	};

	const checkDispatch = (
		one: Scenario,
		result: NodeResult,
		before: { ids: number[]; held: number },
		target: number,
		wrong: string[],
	) => {
		const isAdding = one.operation === 'dispatch.addMessages';
		const all = drawn().filter(({ id }) => !before.ids.includes(id));
		const started = all.filter(({ status }) => status !== 'CREATED');
		// One that isn't right is left unstarted, and a new one is filled, once in each try. It sends nothing.
		const fresh = started.length > 0 ? started : all.slice(-1);
		if (started.length > 1 || all.length > (isAdding ? 0 : 2 * one.tries)) {
			counts.duplicated += started.length - 1;
			wrong.push(`${all.length} dispatches were created, ${started.length} started`);
		}
		const dispatch =
			isAdding || fresh.length === 0 ? drawn().find(({ id }) => id === target) : fresh[0];
		const messages = dispatch === undefined ? [] : messagesOf(running.sandbox, dispatch.id);
		const held = dispatch?.id === target ? before.held : 0;
		const found = countsOf(
			messages
				.slice(held)
				.filter(({ reason }) => reason === null)
				.map(({ destination }) => destination),
		);
		for (const [number, count] of found) {
			if (count > 1) {
				counts.duplicated++;
				wrong.push(`${number} is there ${count} times`);
			}
		}
		if (dispatch !== undefined && dispatch.run > 1) wrong.push(`started ${dispatch.run} times`);
		const { error, items } = result;
		const shown = shownBy(result);
		const isStarted = fresh.some(({ startedAt }) => startedAt !== null);
		const estimate = fromUnits(fresh[0]?.priceEstimate ?? 0);
		const { priceLimit, minimumAccepted } = one;
		if (
			one.operation === 'dispatch.send' &&
			(isUnfit(priceLimit) || isUnfit(minimumAccepted)) &&
			fresh.length > 0
		) {
			wrong.push('a limit that is no number was passed');
		}
		if (isStarted && isNumber(priceLimit?.value) && estimate > Number(priceLimit?.value) + 1e-6) {
			wrong.push(`started for ${estimate} with a limit of ${String(priceLimit?.value)}`);
		}
		if (isStarted && one.dialect.priceEstimate !== 'number')
			wrong.push('started without a price that can be read');
		if (isStarted && one.operation !== 'dispatch.send')
			wrong.push('started, and nobody asked for it');
		const earlier = drawn().filter(
			({ id, startedAt }) => before.ids.includes(id) && startedAt !== null,
		);
		const had = new Set(
			earlier.flatMap(({ id }) =>
				messagesOf(running.sandbox, id).flatMap(({ reason, destination }) =>
					reason === null ? [destination] : [],
				),
			),
		);
		const isProtected = one.ifSent !== 'anyway' && !isAdding;
		if (isProtected && isStarted && [...found.keys()].some((number) => had.has(number))) {
			counts.duplicated++;
			wrong.push('somebody has it from an earlier dispatch, and gets it again');
		}
		if (error === undefined && one.onError === undefined) {
			const [json = {}] = items.map((entry) => entry.json);
			if (one.items.every(({ to }) => to < 0))
				wrong.push('nobody could get it, and no error says so');
			if (
				one.operation === 'dispatch.send' &&
				json.started !== true &&
				one.whenPassed !== 'leave'
			) {
				wrong.push('nobody was reached, and no error says so');
			}
			if (json.started === true && dispatch?.startedAt === null) wrong.push('said to be started');
			if (json.started === false && isStarted) wrong.push('said not to be started');
			if (json.dispatchId !== undefined) {
				const { recipients, duplicates = 0, reached, onTheWay, failed } = json;
				const { leftOut, notStarted = 0, hasItAlready = 0 } = json;
				const groups = [reached, onTheWay, failed, leftOut, hasItAlready, notStarted];
				groups.push(json.unknown ?? 0);
				const sum = groups.reduce((total: number, count) => total + Number(count), 0);
				if (Number(recipients) + Number(duplicates) !== one.items.length || sum !== recipients)
					wrong.push(`${sum} of ${String(recipients)} recipients are counted`);
				if (isStarted ? Number(notStarted) > 0 : Number(onTheWay) > 0)
					wrong.push(`started is ${isStarted}, and ${String(onTheWay)} are said to be on the way`);
			}
			if (
				json.dispatchId !== undefined &&
				Number(json.onTheWay) + Number(json.notStarted ?? 0) > 0
			) {
				const there = new Set(messages.map(({ destination }) => destination));
				const accepted = new Set(
					one.items.flatMap(({ to }) => (to < 0 ? [] : (numbers[to] ?? []))),
				);
				const missing = [...accepted].filter((number) => !there.has(number));
				const reasons = (json.reasons ?? {}) as Record<string, number>;
				const refused = reasons.rejectedByService ?? 0;
				if (missing.length > refused) {
					counts.lost += missing.length - refused;
					wrong.push(`${missing.length} are missing, and ${refused} are said to be`);
				}
			}
		}
		if (fresh.length > 0 && shown.includes('No dispatch was created'))
			wrong.push('said that nothing was created');
		if (isStarted && /Nothing was sent|Nobody got a message/.test(shown))
			wrong.push('said that nothing was sent');
		// What is there but was not started must be named: somebody has to decide about it.
		if (
			shown.includes('Nothing was sent') &&
			fresh.some(({ id }) => !new RegExp(`dispatch ${id}\\b`, 'i').test(shown))
		) {
			wrong.push('said that nothing was sent, and not which dispatch is there');
		}
	};

	const checkCompanies = (one: Scenario, result: NodeResult, before: number, wrong: string[]) => {
		const { companies } = running.sandbox.world.store;
		const names = [...companies.values()]
			.map(({ name }) => name)
			.filter((name) => name.startsWith('drawn-'));
		for (const [name, count] of countsOf(names)) {
			const most = before + 1;
			if (count > most) {
				counts.duplicated++;
				wrong.push(`${name} was created ${count} times`);
			}
		}
		const created = names.length - before * one.items.length;
		if (isUnfit(one.priceLimit) && created > 0)
			wrong.push('a company was created without the budget it was to have');
		if (/Nothing was sent\./.test(shownBy(result)) && created > 0)
			wrong.push('said that nothing was sent');
	};

	/** What is wrong with what came of a scenario; empty when every promise held. */
	const violations = async (one: Scenario): Promise<string[]> => {
		const { sandbox } = running;
		sandbox.reset('demo');
		// Long enough for what other runs have left to be gone.
		tempo.pausedMs += 7_200_000;
		const { store } = sandbox.world;
		store.funds = 10 ** 12;
		store.blacklists.set(demo.companies.flowers, new Map([[blocked, 'STOP']]));
		tempo.onPause = (ms) => sandbox.tick(ms);
		let target = 0;
		if (one.hasEarlier || one.operation === 'dispatch.addMessages') {
			const calm: Scenario = {
				...one,
				tries: 1,
				onError: undefined,
				priceLimit: undefined,
				minimumAccepted: undefined,
			};
			const operation =
				one.operation === 'dispatch.addMessages' ? 'dispatch.create' : one.operation;
			const [first] = itemsOf(calm);
			await run({ ...calm, operation, ifSent: 'anyway' }, 0, [
				{ ...first, phone: `+${numbers[0] ?? ''}`, id: 'earlier' },
			]);
			target = drawn()[0]?.id ?? 0;
		}
		sandbox.tick(one.sinceEarlierMs);
		tempo.pausedMs += one.sinceEarlierMs;
		Object.assign(store.settings.dialect, Dialect.parse(one.dialect));
		const before = {
			messages: countsOf(singles().map(({ destination }) => destination)),
			ids: drawn().map(({ id }) => id),
			held: messagesOf(sandbox, target).length,
			companies: [...store.companies.values()].filter(({ name }) => name.startsWith('drawn-'))
				.length,
		};
		const end = beginStorm(sandbox, { ...one.weather, kinds: faultKinds }, counts);
		const result = await run(one, target);
		end();
		tempo.onPause = undefined;
		counts.runs++;
		counts[result.error === undefined ? 'completed' : 'stopped']++;
		const wrong: string[] = [];
		checkWords(result, wrong);
		if (one.operation.startsWith('message.')) checkMessages(one, result, before.messages, wrong);
		else if (one.operation === 'company.create')
			checkCompanies(one, result, before.companies, wrong);
		else checkDispatch(one, result, before, target, wrong);
		if (wrong.length > 0) counts.untrue++;
		return wrong;
	};

	return {
		/** Tries so many scenarios; the first that breaks a promise is shrunk and shown. */
		hold: async (numRuns: number, seed: number) =>
			await fc.assert(
				fc.asyncProperty(scenario, async (one) => expect(await violations(one)).toEqual([])),
				{
					numRuns,
					seed,
					endOnFailure: false,
					interruptAfterTimeLimit: 1_500_000,
					markInterruptAsFailure: false,
				},
			),
	};
};
