import type { IExecuteFunctions } from 'n8n-workflow';
import {
	AmbiguousError,
	Delivery,
	InterruptedError,
	type Progress,
} from '../../core/dispatch/deliver';
import { sortRecipients, type Row } from '../../core/dispatch/hygiene';
import type { SendOptions } from '../../core/transport/send';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { demo } from '../../sandbox/demo';
import type { FaultKind } from '../../sandbox/faults';
import type { Sandbox } from '../../sandbox/sandbox';
import { startSandbox, type RunningSandbox } from '../../sandbox/server.cts';
import { runNode, type Credentials } from '../support/n8n.cts';
import { byId } from '../support/sandbox.cts';
import { transportNode } from '../support/transportNode.cts';
import {
	block,
	compare,
	exact,
	fromItems,
	itemOf,
	messagesOf,
	numberOf,
	rowOf,
	senderIds,
	text,
} from './recipients.cts';

// Pauses are n8n's sleep, and not what is tested here.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async () => await Promise.resolve(),
}));

// A service that never answers is given up after 70 seconds: here after half a second.
jest.mock('../../core/transport/send', () => {
	const actual = jest.requireActual<typeof import('../../core/transport/send')>(
		'../../core/transport/send',
	);
	const send = async (...[caller, endpoint, request, options]: Parameters<typeof actual.send>) =>
		await actual.send(caller, endpoint, request, {
			timeoutMs: 500,
			...options,
		} satisfies SendOptions);
	return { ...actual, send };
});

const recipientCount = 5_000;
const batchSize = 250;
const rate = 0.2;
const { flowers } = demo.companies;

let running: RunningSandbox;
beforeAll(async () => {
	running = await startSandbox({ port: 0, speed: 0, now: Date.UTC(2026, 2, 2, 7) });
});
afterAll(async () => await running.close());

const credentials = (): Credentials => ({
	bulkMessagingPartnerApi: {
		baseUrl: running.partnerUrl,
		login: demo.login,
		password: demo.password,
	},
});

/** Numbers the service refuses, one in every hundred. */
const isBlocked = (index: number) => index % 100 === 7;
const blocked = Array.from({ length: recipientCount }, (_, index) => index)
	.filter(isBlocked)
	.map(numberOf);

/** With numbers nobody can read and numbers that come again. */
const rows: Row[] = Array.from({ length: recipientCount }, (_, index) => {
	if (index % 97 === 5) return { ...rowOf(index), phone: 'call me' };
	if (index % 89 === 11) return { ...rowOf(index), phone: numberOf(index - 11) };
	return rowOf(index);
});
const { accepted } = sortRecipients(rows, {
	text,
	duplicates: 'first',
	missingValues: 'stop',
});
const blockedNumbers = new Set(blocked);
const takeable = accepted.filter(({ recipient }) => !blockedNumbers.has(recipient.destination));

const totals = {
	runs: 0,
	completed: 0,
	stopped: 0,
	stoppedBeforeAnything: 0,
	requests: 0,
	faults: 0,
	lost: 0,
	duplicated: 0,
	wrongTexts: 0,
	strangers: 0,
	twins: 0,
	inexactReports: 0,
};
afterAll(() => console.log(JSON.stringify(totals)));

const statuses = [500, 502, 503, 504, 429] as const;
const withoutHangs: FaultKind[] = [
	'status',
	'reset',
	'delay',
	'commit-then-reset',
	'commit-then-status',
];
const withHangs: FaultKind[] = [...withoutHangs, 'hang', 'commit-then-hang'];

const begin = (sandbox: Sandbox, seed: number, kinds: readonly FaultKind[]) => {
	sandbox.reset('demo');
	block(sandbox, blocked);
	const status = statuses[seed % statuses.length] ?? 500;
	sandbox.faults.setRandom({
		rate,
		seed,
		// A service that carries out what it answers with "too many requests" would lie.
		kinds: kinds.filter((kind) => status !== 429 || kind !== 'commit-then-status'),
		status,
		ms: 1,
	});
	const strike = sandbox.faults.strike.bind(sandbox.faults);
	const spy = jest.spyOn(sandbox.faults, 'strike').mockImplementation((request) => {
		const struck = strike(request);
		totals.requests++;
		if (struck !== undefined) totals.faults++;
		return struck;
	});
	return () => {
		spy.mockRestore();
		sandbox.faults.clear();
	};
};

const dispatchesNamed = (sandbox: Sandbox, name: string) =>
	[...sandbox.world.store.dispatches.values()].filter((one) => one.name === name);

const note = (found: ReturnType<typeof compare>) => {
	totals.lost += found.lost;
	totals.duplicated += found.duplicated;
	totals.wrongTexts += found.wrong;
	totals.strangers += found.strangers;
	return found;
};

interface Report {
	dispatchId?: number;
	accepted: number;
	/** Which of the recipients is the first that is not certainly there. */
	next: number;
}

/** What the report of a run that stopped says, against what the service holds. Nothing means that all of it is true. */
const lies = (sandbox: Sandbox, name: string, { dispatchId, accepted: count, next }: Report) => {
	const [there] = dispatchesNamed(sandbox, name);
	if (there?.id !== dispatchId) return [`dispatch ${dispatchId}, but there is ${there?.id}`];
	if (there === undefined)
		return count === 0 && next === 0 ? [] : ['recipients without a dispatch'];
	const wrong: string[] = [];
	const before = accepted.slice(0, next);
	const taken = before.filter(({ recipient }) => !blockedNumbers.has(recipient.destination));
	if (taken.length !== count) wrong.push(`${count} accepted, but it is ${taken.length}`);
	const present = new Set(messagesOf(sandbox, there.id).map(({ destination }) => destination));
	const absent = before.filter(({ recipient }) => !present.has(recipient.destination));
	if (absent.length > 0) wrong.push(`${absent.length} in front of ${next} are not there`);
	// Behind the reported one there is nobody, or exactly the one batch that is in doubt.
	const behind = accepted.slice(next).filter(({ recipient }) => present.has(recipient.destination));
	const inDoubt = accepted.slice(next, next + batchSize);
	if (behind.length > 0 && behind.some((one, index) => one !== inDoubt[index])) {
		wrong.push(`${behind.length} behind ${next} are there`);
	}
	return wrong;
};

const head = (name: string) => ({ companyId: flowers, name, senderIds, channelType: 'SMS', text });

/** Runs a delivery in a node of n8n and tells what became of it. */
const inNode = async (work: (context: IExecuteFunctions) => Promise<Progress>) => {
	let outcome: { progress: Progress } | { error: unknown } | undefined;
	const node = transportNode(async (context) => {
		outcome = await work(context).then(
			(progress) => ({ progress }),
			(error: unknown) => ({ error }),
		);
		return 'done';
	});
	const { error } = await runNode({ node, credentials: credentials() });
	if (outcome === undefined) throw error ?? new Error('the delivery was not called');
	return outcome;
};

/** What the node says about each recipient is what the service holds. */
const expectPlaced = (sandbox: Sandbox, { placed, dispatchId = 0 }: Progress) => {
	const byUuid = new Map(messagesOf(sandbox, dispatchId).map((one) => [one.uuid, one.destination]));
	const numbers = [...placed].map((one) => one && byUuid.get(one.messageUuid));
	const expected = accepted.map(({ recipient: { destination } }) =>
		blockedNumbers.has(destination) ? undefined : destination,
	);
	expect(numbers).toEqual(expected);
};

const deliverOnce = async (seed: number, kinds: readonly FaultKind[]) => {
	const { sandbox } = running;
	const name = `Run ${seed}`;
	const end = begin(sandbox, seed, kinds);
	const outcome = await inNode(
		async (context) => await new Delivery(context, { batchSize }).create(head(name), accepted),
	);
	end();
	totals.runs++;
	const twins = dispatchesNamed(sandbox, name).length - 1;
	if (twins > 0) totals.twins += twins;
	expect(twins).toBeLessThanOrEqual(0);

	if ('progress' in outcome) {
		totals.completed++;
		const { progress } = outcome;
		expect(note(compare(sandbox, progress.dispatchId ?? 0, takeable))).toEqual(exact);
		expectPlaced(sandbox, progress);
		return;
	}
	const { error } = outcome;
	expect(error).toBeInstanceOf(InterruptedError);
	if (!(error instanceof InterruptedError)) return;
	expect(error.reason).not.toBeInstanceOf(AmbiguousError);
	totals.stopped++;
	const { dispatchId, placed } = error.progress;
	const report = {
		dispatchId,
		accepted: placed.taken,
		next: error.next,
	};
	const wrong = lies(sandbox, name, report);
	if (wrong.length > 0) totals.inexactReports++;
	expect(wrong).toEqual([]);
	if (dispatchId === undefined) {
		totals.stoppedBeforeAnything++;
		return;
	}
	const resumed = await inNode(
		async (context) => await new Delivery(context, { batchSize }, dispatchId).resume(accepted),
	);
	expect(resumed).toHaveProperty('progress');
	expect(note(compare(sandbox, dispatchId, takeable))).toEqual(exact);
	if ('progress' in resumed) expectPlaced(sandbox, resumed.progress);
};

const seeds = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

describe('5,000 recipients in batches of 250, 20 % of all requests fail', () => {
	test.each([1, 31, 61, 91, 121, 151])(
		'30 deliveries from seed %i on: everybody exactly once, or an exact report and a resume',
		async (from) => {
			for (const seed of seeds(from, 30)) await deliverOnce(seed, withoutHangs);
		},
		300_000,
	);

	test('also when the service does not answer at all', async () => {
		for (const seed of seeds(1_001, 4)) await deliverOnce(seed, withHangs);
	}, 300_000);
});

describe('the same through the whole node', () => {
	const items = rows.map(({ phone }, index) => ({ ...itemOf(index), phone: String(phone) }));
	const run = async (operation: string, parameters: object) =>
		await runNode({
			node: new BulkMessagingPartner(),
			parameters: {
				resource: 'dispatch',
				operation,
				recipients: 'items',
				destination: '={{ $json.phone }}',
				recipientOptions: { batchSize },
				...parameters,
			},
			items,
			credentials: credentials(),
		});

	const runOnce = async (seed: number) => {
		const { sandbox } = running;
		const name = `Node run ${seed}`;
		const end = begin(sandbox, seed, withoutHangs);
		const { error, items: output } = await run('create', { ...fromItems, name });
		end();
		totals.runs++;
		const [dispatch, ...twins] = dispatchesNamed(sandbox, name);
		totals.twins += twins.length;
		expect(twins).toEqual([]);
		if (error === undefined) {
			totals.completed++;
			expect(note(compare(sandbox, dispatch?.id ?? 0, takeable))).toEqual(exact);
			expect(output).toMatchObject([
				{
					json: {
						dispatchId: dispatch?.id,
						items: recipientCount,
						total: recipientCount,
						success: takeable.length,
						failed: recipientCount - takeable.length,
						rejected: { refusedByService: accepted.length - takeable.length },
					},
				},
			]);
			return;
		}
		totals.stopped++;
		if (dispatch === undefined) {
			totals.stoppedBeforeAnything++;
			expect(error.context?.dispatchId).toBeUndefined();
			return;
		}
		const { dispatchId, accepted: count, firstItemNotAccepted } = error.context ?? {};
		const position = accepted.findIndex(({ itemIndex }) => itemIndex === firstItemNotAccepted);
		const wrong = lies(sandbox, name, {
			dispatchId: dispatchId as number,
			accepted: count as number,
			next: position === -1 ? accepted.length : position,
		});
		if (wrong.length > 0) totals.inexactReports++;
		expect(wrong).toEqual([]);
		expect(error.description).toContain(
			`Dispatch ${dispatch.id} holds ${String(count)} recipients`,
		);

		const resumed = await run('addMessages', { id: byId(dispatch.id), text, resume: true });
		expect(resumed.error).toBeUndefined();
		expect(note(compare(sandbox, dispatch.id, takeable))).toEqual(exact);
		expect(resumed.items).toMatchObject([
			{ json: { dispatchId: dispatch.id, success: takeable.length } },
		]);
	};

	test.each([181, 191])(
		'10 runs from seed %i on',
		async (from) => {
			for (const seed of seeds(from, 10)) await runOnce(seed);
		},
		300_000,
	);
});
