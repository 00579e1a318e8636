import type { IExecuteFunctions } from 'n8n-workflow';
import { DispatchDelivery } from '../../nodes/BulkMessagingPartner/resources/dispatch/delivery/delivery';
import {
	AmbiguousError,
	InterruptedError,
	type DispatchProgress,
} from '../../nodes/BulkMessagingPartner/resources/dispatch/delivery/interruption';
import { ServiceError } from '../../core/transport/errors';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { demo } from '../../sandbox/demo.cts';
import type { FaultKind } from '../../sandbox/faults.cts';
import { startSandbox, type RunningSandbox } from '../../sandbox/server.cts';
import { runNode, type Credentials } from '../support/n8n.cts';
import { byId } from '../support/sandbox.cts';
import { beginStorm, type Counts } from '../support/storm.cts';
import { transportNode } from '../support/transportNode.cts';
import { accepted, blocked, crowdSize, isTakeable, rows, takeable } from './crowd.cts';
import {
	block,
	compare,
	exact,
	fromItems,
	itemOf,
	messagesOf,
	senderIds,
	text,
} from './recipients.cts';

const batchSize = 250;
const statuses = [500, 502, 503, 504, 429];

/** What an error says about how far a dispatch has come. */
interface Report {
	dispatchId?: number;
	/** It says that there may be a dispatch. */
	mayBeThere: boolean;
	accepted: number;
	/** Which of the recipients is the first that is not certainly there. */
	next: number;
}

/**
 * Dispatches to 5,000 recipients in batches of 250 while requests fail, each held against what the service has in the
 * end: everybody exactly once, or an exact report, with which it can be finished.
 */
export const useFaultRuns = (counts: Counts, { jumpMs }: { jumpMs?: number } = {}) => {
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

	const begin = (seed: number, kinds?: readonly FaultKind[]) => {
		const { sandbox } = running;
		sandbox.reset('demo');
		block(sandbox, blocked);
		const status = statuses[seed % statuses.length];
		counts.runs++;
		return beginStorm(sandbox, { seed, kinds: kinds && [...kinds], status, jumpMs }, counts);
	};

	const named = (name: string) =>
		[...running.sandbox.world.store.dispatches.values()].filter((one) => one.name === name);

	/** The one dispatch of that name, if there is one: two would be one too many. */
	const onlyOne = (name: string) => {
		const [dispatch, ...twins] = named(name);
		counts.duplicated += twins.length * takeable.length;
		expect(twins).toEqual([]);
		return dispatch;
	};

	/** Everybody is there exactly once, with the right text. */
	const expectExact = (dispatchId = 0) => {
		const found = compare(running.sandbox, dispatchId, takeable);
		counts.lost += found.lost;
		counts.duplicated += found.duplicated + found.strangers;
		counts.untrue += found.wrong;
		expect(found).toEqual(exact);
	};

	/** What the report of a run that stopped says, against what the service holds. Nothing means that all of it is true. */
	const lies = (name: string, { dispatchId, mayBeThere, accepted: count, next }: Report) => {
		const [there] = named(name);
		if (there?.id !== dispatchId && !(mayBeThere && dispatchId === undefined))
			return [`dispatch ${dispatchId}, but there is ${there?.id}`];
		const wrong: string[] = [];
		const before = accepted.slice(0, next);
		const taken = before.filter(isTakeable);
		if (taken.length !== count) wrong.push(`${count} accepted, but it is ${taken.length}`);
		const messages = there === undefined ? [] : messagesOf(running.sandbox, there.id);
		const present = new Set(messages.map(({ destination }) => destination));
		const absent = before.filter(({ recipient }) => !present.has(recipient.destination));
		if (absent.length > 0) wrong.push(`${absent.length} in front of ${next} are not there`);
		// Behind the reported one there is nobody, or exactly the one batch that is in doubt.
		const behind = accepted
			.slice(next)
			.filter(({ recipient }) => present.has(recipient.destination));
		const inDoubt = accepted.slice(next, next + batchSize);
		if (behind.length > 0 && behind.some((one, index) => one !== inDoubt[index])) {
			wrong.push(`${behind.length} behind ${next} are there`);
		}
		return wrong;
	};

	const expectTrue = (name: string, report: Report) => {
		counts.stopped++;
		const wrong = lies(name, report);
		if (wrong.length > 0) counts.untrue++;
		expect(wrong).toEqual([]);
	};

	/** Runs a delivery in a node of n8n and tells what became of it. */
	const inNode = async (work: (context: IExecuteFunctions) => Promise<DispatchProgress>) => {
		let outcome: { progress: DispatchProgress } | { error: unknown } | undefined;
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
	const expectPlaced = ({ placed, dispatchId = 0 }: DispatchProgress) => {
		const messages = messagesOf(running.sandbox, dispatchId);
		const byUuid = new Map(messages.map((one) => [one.uuid, one.destination]));
		const numbers = Array.from({ length: placed.length }, (_, index) => {
			const one = placed.at(index);
			return one && byUuid.get(one.messageUuid);
		});
		const expected = accepted.map((one) =>
			isTakeable(one) ? one.recipient.destination : undefined,
		);
		expect(numbers).toEqual(expected);
	};

	/** The delivery by itself. */
	const deliver = async (seed: number, kinds?: readonly FaultKind[]) => {
		const name = `Run ${seed}`;
		const end = begin(seed, kinds);
		const head = {
			companyId: demo.companies.flowers,
			name,
			senderIds,
			channelType: 'SMS',
			text,
		};
		const outcome = await inNode(
			async (context) => await new DispatchDelivery(context, { batchSize }).create(head, accepted),
		);
		end();
		const dispatch = onlyOne(name);
		if ('progress' in outcome) {
			counts.completed++;
			expectExact(outcome.progress.dispatchId);
			expectPlaced(outcome.progress);
			return;
		}
		const { error } = outcome;
		if (!(error instanceof InterruptedError)) throw error;
		const { progress, reason, next } = error;
		expect(reason).not.toBeInstanceOf(AmbiguousError);
		expectTrue(name, {
			dispatchId: progress.dispatchId,
			mayBeThere: reason instanceof ServiceError && reason.isRisky,
			accepted: progress.placed.accepted,
			next,
		});
		if (dispatch === undefined) return;
		const resumed = await inNode(
			async (context) =>
				await new DispatchDelivery(context, { batchSize }, dispatch.id).resume(accepted),
		);
		expect(resumed).toHaveProperty('progress');
		expectExact(dispatch.id);
		if ('progress' in resumed) expectPlaced(resumed.progress);
	};

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

	/** The same through the whole node, with the words a user reads. */
	const deliverByNode = async (seed: number, kinds?: readonly FaultKind[]) => {
		const name = `Node run ${seed}`;
		const end = begin(seed, kinds);
		const { error, items: output } = await run('create', { ...fromItems, name });
		end();
		const dispatch = onlyOne(name);
		if (error === undefined) {
			counts.completed++;
			expectExact(dispatch?.id);
			expect(output).toMatchObject([
				{
					json: {
						dispatchId: dispatch?.id,
						items: crowdSize,
						total: crowdSize,
						success: takeable.length,
						failed: crowdSize - takeable.length,
						rejected: { refusedByService: accepted.length - takeable.length },
					},
				},
			]);
			return;
		}
		const { dispatchId, accepted: count = 0, firstItemNotAccepted = 0 } = error.context ?? {};
		const position = accepted.findIndex(({ itemIndex }) => itemIndex === firstItemNotAccepted);
		expectTrue(name, {
			dispatchId: dispatchId as number | undefined,
			mayBeThere:
				error.description?.includes('not known whether the dispatch was created') ?? false,
			accepted: count as number,
			next: position === -1 ? accepted.length : position,
		});
		if (dispatchId !== undefined) {
			expect(error.description).toContain(
				`Dispatch ${String(dispatchId)} contains ${Number(count).toLocaleString('en')} confirmed recipient`,
			);
		}
		if (dispatch === undefined) return;
		const resumed = await run('addMessages', { id: byId(dispatch.id), text, resume: true });
		expect(resumed.error).toBeUndefined();
		expectExact(dispatch.id);
		expect(resumed.items).toMatchObject([
			{ json: { dispatchId: dispatch.id, success: takeable.length } },
		]);
	};

	return { deliver, deliverByNode };
};
