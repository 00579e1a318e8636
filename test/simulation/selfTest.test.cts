import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { checkDispatches } from './dispatchInvariants.cts';
import type { DispatchPlan } from './dispatchHistory.cts';
import { adviceIn } from './adviceDesk.cts';
import { playHistory, type HistoryKind } from './history.cts';
import type { MessagePlan } from './messageHistory.cts';
import { checkMessages } from './messageInvariants.cts';
import { checkSunny } from './sunny.cts';
import { n8nProcesses } from './processes.cts';
import { Random } from './random.cts';
import { makeStage, playRuns } from './stage.cts';
import { dispatchName, makeWorld, numberOf } from './world.cts';

const calmWorld = {
	...makeWorld(new Random(1), 2),
	lagMs: { list: 0, get: 0, counters: 0, messages: 0, lookUp: 0 },
	faultyChanges: 0,
	faultyReads: 0,
	price: 2,
	blacklist: new Set<string>(),
};
const wanted = [numberOf(0), numberOf(1)];

type Work = (context: IExecuteFunctions) => Promise<INodeExecutionData[]>;

/** A node that does what a test wants instead of what a node should do. */
const fakeNode = (work: Work): INodeType => ({
	description: n8nProcesses[0].BulkMessagingPartner.description,
	async execute(this: IExecuteFunctions) {
		return [await work(this)];
	},
});

const post = async (context: IExecuteFunctions, path: string, body?: object) =>
	(await context.helpers.httpRequest({
		method: 'POST',
		url: `https://service.example${path}`,
		body: Buffer.from(JSON.stringify(body ?? {})),
	})) as { body: { id: number } };

const create = async (context: IExecuteFunctions) => {
	const messages = wanted.map((destination) => ({ destination }));
	const head = { companyId: 1, name: dispatchName, channelType: 'SMS', text: 'Hello', messages };
	return (await post(context, '/dispatches', head)).body.id;
};

const counts = { recipients: wanted.length, reached: 0, onTheWay: 2, failed: 0, leftOut: 0 };
const started = (dispatchId: number, more: object = {}) => [
	{ json: { ...counts, ...more, dispatchId, started: true } },
];

const sendBlindly: Work = async (context) => {
	const id = await create(context);
	await post(context, `/dispatches/${id}/start`);
	return started(id);
};

/** The kinds of problems that are found in runs of a fake node. */
const problemsOf = async (
	work: Work,
	{ runs: count = 1, priceLimit = 100, isSunny = false } = {},
) => {
	const stage = makeStage(new Random(1), calmWorld, new Set());
	const plans = Array.from({ length: count }, (_, index): DispatchPlan => {
		const choices = { name: dispatchName, ifNameExists: 'stop', batchSize: 2 } as const;
		return {
			name: `run ${index + 1}`,
			process: 0,
			node: 'BulkMessagingPartner',
			fake: fakeNode(work),
			parameters: {},
			calls: [{ items: [{}] }],
			startsAfterMs: 0,
			tries: 1,
			continuesOnFail: false,
			choices: { ...choices, output: 'summary', priceLimit, leavesUnstarted: false },
			wanted,
		};
	});
	const { runs, problems } = await playRuns(stage, plans, new Random(1));
	problems.push(...checkDispatches(stage, plans, runs));
	if (isSunny) problems.push(...checkSunny(stage, plans, runs));
	return problems.map(({ kind }) => kind);
};

/** The kinds of problems that are found in one run of a fake node that should send single messages. */
const messageProblemsOf = async (work: Work) => {
	const stage = makeStage(new Random(1), calmWorld, new Set());
	const plan: MessagePlan = {
		name: 'run 1',
		process: 0,
		node: 'BulkMessaging',
		fake: fakeNode(work),
		parameters: {},
		calls: [{ items: [{}] }],
		startsAfterMs: 0,
		tries: 1,
		continuesOnFail: false,
		hasOwnIds: true,
		wanted: wanted.map((number, index) => ({ number, text: 'Hello', id: `order-${index}` })),
	};
	const { runs, problems } = await playRuns(stage, [plan], new Random(1));
	return [...problems, ...checkMessages(stage, [plan], runs)].map(({ kind }) => kind);
};

const logOf = async (seed: number, kind: HistoryKind = 'usual'): Promise<string> => {
	const lines: string[] = [];
	const { problems } = await playHistory(seed, { kind, log: (line) => lines.push(line) });
	return [...lines, JSON.stringify(problems)].join('\n');
};

it('plays the same seed to the same log, even after other histories and whatever else the process does', async () => {
	const other = setInterval(() => Math.random(), 1).unref();
	const seeds = Array.from({ length: 12 }, (_, index) => index + 1);
	const before: string[] = [];
	for (const seed of seeds) before.push(await logOf(seed));
	for (const [index, seed] of seeds.entries()) expect(await logOf(seed)).toBe(before[index]);
	clearInterval(other);
	expect(new Set(before).size).toBe(seeds.length);
});

it('gives real time and real random numbers back', async () => {
	const before = [Date, Math.random, performance.now, AbortSignal.timeout];
	await playHistory(1);
	expect([Date, Math.random, performance.now, AbortSignal.timeout]).toEqual(before);
	expect(Math.abs(new Date().getTime() - Date.now())).toBeLessThan(10_000);
});

it('has three processes that share no modules', () => {
	const classes = n8nProcesses.map(({ BulkMessaging }) => BulkMessaging.constructor);
	expect(new Set(classes).size).toBe(3);
});

it('finds nothing wrong with a single run that sends', async () => {
	expect(await problemsOf(sendBlindly)).toEqual([]);
});

it('catches two runs that both send', async () => {
	const problems = await problemsOf(sendBlindly, { runs: 2 });
	expect(problems).toEqual(['twice', 'two runs claim to have sent']);
});

it('catches a run above its price limit', async () => {
	expect(await problemsOf(sendBlindly, { priceLimit: 3 })).toEqual(['over the limit']);
});

it('catches a run that sends and says that it has not', async () => {
	const work: Work = async (context) => {
		await sendBlindly(context);
		throw Object.assign(new Error('The connection to the service was lost'), {
			description: 'Nothing was sent. Try again in a few minutes.',
		});
	};
	expect(await problemsOf(work)).toEqual(['untrue: nothingSent']);
});

it('catches a run that claims a start which never happened', async () => {
	const work: Work = async (context) => started(await create(context));
	expect(await problemsOf(work)).toEqual(['untrue: started']);
});

it.each([
	['leaves somebody out', { onTheWay: 1 }],
	['counts somebody twice', { failed: 1 }],
	['calls somebody skipped who was sent to', { onTheWay: 1, leftOut: 1 }],
])('catches a summary that %s', async (_, more) => {
	const work: Work = async (context) => {
		const id = await create(context);
		await post(context, `/dispatches/${id}/start`);
		return started(id, more);
	};
	expect(await problemsOf(work)).toEqual(['untrue: count']);
});

it('accepts a message that was sent and not delivered', async () => {
	const work: Work = async (context) => {
		const id = await create(context);
		await post(context, `/dispatches/${id}/start`);
		return started(id, { onTheWay: 1, failed: 1, reasons: { notDelivered: 1 } });
	};
	expect(await problemsOf(work)).toEqual([]);
});

it('catches a run that forgets somebody', async () => {
	const work: Work = async (context) => {
		const messages = [{ destination: wanted[0] }];
		const head = { companyId: 1, name: dispatchName, channelType: 'SMS', text: 'Hi', messages };
		const { id } = (await post(context, '/dispatches', head)).body;
		await post(context, `/dispatches/${id}/start`);
		return started(id);
	};
	expect(await problemsOf(work)).toEqual(['lost in silence']);
});

it.each([{}, { confirmed: false }])(
	'catches a row with %j that claims a message which the service has not accepted',
	async (more) => {
		const row = { destination: wanted[0], externalMessageId: 'order-0', outcome: 'accepted' };
		const work: Work = async () => await Promise.resolve([{ json: { ...row, ...more } }]);
		expect(await messageProblemsOf(work)).toEqual(['lost in silence']);
	},
);

it.each([
	[0, []],
	[1, ['untrue: someAccepted']],
])('an error that says the service accepted %i of 2, which has none: %j', async (count, found) => {
	const work: Work = () => {
		throw Object.assign(new Error('It is not known whether 1 of 2 messages was sent'), {
			description: `The service accepted ${count} of 2. Unknown: item 1.`,
		});
	};
	expect(await messageProblemsOf(work)).toEqual(found);
});

it('accepts a sunny run that sends, and no other', async () => {
	const createOnly: Work = async (context) => {
		const dispatchId = await create(context);
		return [{ json: { ...counts, onTheWay: 0, notStarted: 2, dispatchId, started: false } }];
	};
	expect(await problemsOf(sendBlindly, { isSunny: true })).toEqual([]);
	expect(new Set(await problemsOf(createOnly, { isSunny: true }))).toEqual(
		new Set(['sunny: not reached', 'sunny: started dispatches', 'sunny: left unstarted']),
	);
});

it.each([
	['Nothing was sent. Run it again.', ['runAgain']],
	['Nothing was sent. Run it again in a few minutes.', ['runLater']],
	['Another run is sending this. Run it again at 14:05 (UTC).', ['runAtTime 14:05']],
	["Nothing was sent. Raise 'Price Limit' to 7 and run it again.", ['raiseLimit']],
	["To send it, use 'Start' with dispatch 7.", ['start']],
	['Running it again would send items 1 and 2 again.', ['leaveOut']],
	['The moon is full.', []],
])('reads the advice in %j', (description, expected) => {
	const error = Object.assign(new Error('The connection to the service was lost'), { description });
	const steps = adviceIn({ error, hints: [] }).map(({ step, hours, minutes }) =>
		hours === undefined ? step : `${step} ${hours}:${minutes ?? ''}`,
	);
	expect(steps).toEqual(expected);
});

it('plays people who follow the advice to the same log twice', async () => {
	const seeds = [1, 2, 3, 4];
	const before: string[] = [];
	for (const seed of seeds) before.push(await logOf(seed, 'advice'));
	for (const [index, seed] of seeds.entries()) {
		expect(await logOf(seed, 'advice')).toBe(before[index]);
	}
});

it('catches a run that never ends', async () => {
	expect(await problemsOf(async () => await new Promise(() => undefined))).toEqual(['no end']);
});

it('reports a sentence that it does not know', async () => {
	const work: Work = async () => {
		throw new Error('The moon is full');
	};
	expect(await problemsOf(work)).toEqual(['unknown text']);
});
