import { withoutCode } from '../../core/contract/dispatchName';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { demo } from '../../sandbox/demo.cts';
import type { FaultKind } from '../../sandbox/api/faults.cts';
import { giveUpLate } from '../support/giveUp.cts';
import { startSandbox, type RunningSandbox } from '../../sandbox/server.cts';
import { runNode, type NodeResult } from '../support/n8n.cts';
import { atTheirPlaces } from '../support/places.cts';
import { beginStorm, type Counts } from '../support/storm.cts';
import { accepted, blocked, isTakeable, rejected, rows, takeable } from './crowd.cts';
import { block, compare, exact, fromItems, itemOf, messagesOf } from './recipients.cts';

const batchSize = 250;
const statuses = [500, 502, 503, 504, 429];

/**
 * Dispatches to 5,000 recipients in batches of 250 while requests fail, each held against what the service has in the
 * end: one started dispatch with everybody exactly once, or a true error, after which another press sends to everybody once.
 */
export const useFaultRuns = (counts: Counts, { jumpMs }: { jumpMs?: number } = {}) => {
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

	const begin = (seed: number, kinds?: readonly FaultKind[]) => {
		const { sandbox } = running;
		sandbox.reset('demo');
		sandbox.world.store.funds = 10 ** 12;
		block(sandbox, blocked);
		const status = statuses[seed % statuses.length];
		counts.runs++;
		return beginStorm(sandbox, { seed, kinds: kinds && [...kinds], status, jumpMs }, counts);
	};

	const items = rows.map(({ phone }, index) => ({ ...itemOf(index), phone: String(phone) }));
	const node = new BulkMessagingPartner();
	let accounts = 0;
	const run = async (operation: string, parameters: object) =>
		await runNode({
			node,
			parameters: atTheirPlaces(node, {
				resource: 'dispatch',
				operation,
				...fromItems,
				batchSize,
				...parameters,
			}),
			items,
			credentials: {
				bulkMessagingPartnerApi: {
					baseUrl: running.partnerUrl,
					login: demo.login,
					password: demo.password,
					// Not used with a login. It makes every scenario another account, as after a reset.
					accessToken: `account ${accounts}`,
				},
			},
		});

	const named = (name: string) =>
		[...running.sandbox.world.store.dispatches.values()].filter(
			(one) => withoutCode(one.name) === name,
		);
	const startedOf = (name: string) => named(name).filter(({ startedAt }) => startedAt !== null);

	/** At most one is started, once, and it holds everybody exactly once, with the right text. */
	const expectAtMostOne = (name: string) => {
		const started = startedOf(name);
		if (started.length > 1) counts.duplicated += (started.length - 1) * takeable.length;
		expect(started.map(({ run: times }) => times)).toEqual(started.map(() => 1));
		expect(started.length).toBeLessThanOrEqual(1);
		for (const { id } of started) {
			const found = compare(running.sandbox, id, takeable);
			counts.lost += found.lost;
			counts.duplicated += found.duplicated + found.strangers;
			counts.untrue += found.wrong;
			expect(found).toEqual(exact);
		}
		return started[0];
	};

	const leftOut = rejected.filter(({ reason }) => reason !== 'duplicate').length;
	const summary = {
		recipients: accepted.length + leftOut,
		onTheWay: takeable.length,
		failed: accepted.length - takeable.length,
		leftOut,
		duplicates: rejected.length - leftOut,
		reasons: { rejectedByService: accepted.length - takeable.length },
	};

	/** What each row says is what the service holds. */
	const expectRows = ({ items: output }: NodeResult, dispatchId: number) => {
		const messages = messagesOf(running.sandbox, dispatchId);
		const byUuid = new Map(messages.map((one) => [one.uuid, one.destination]));
		const rowsOfAccepted = output.filter(({ json }) => json.outcome === 'accepted');
		expect(rowsOfAccepted.map(({ json }) => byUuid.get(String(json.messageUuid)))).toEqual(
			accepted.filter(isTakeable).map(({ recipient }) => recipient.destination),
		);
	};

	/** Send in bad weather, and once more in good weather if nobody was reached. */
	const sendIn = async (seed: number, kinds: readonly FaultKind[] | undefined, output: string) => {
		const name = `${output} ${seed}`;
		accounts++;
		const end = begin(seed, kinds);
		const result = await run('send', { name, output });
		end();
		const started = expectAtMostOne(name);
		const { error } = result;
		if (error === undefined) {
			counts.completed++;
			expect(started).toBeDefined();
			if (output === 'recipients') expectRows(result, started?.id ?? 0);
			else expect(result.items).toMatchObject([{ json: { ...summary, started: true } }]);
			return;
		}
		counts.stopped++;
		const words = `${error.message} ${error.description ?? ''}`;
		const isOpen = /not known whether dispatch \d+ was started/.test(words);
		// An error that doesn't leave it open is true: nobody was reached.
		if (!isOpen && started !== undefined) counts.untrue++;
		if (!isOpen) expect([words, started]).toEqual([words, undefined]);
		// In another process, after the half hour of what this one may have left.
		running.sandbox.tick(31 * 60_000);
		accounts++;
		const again = await run('send', { name, output });
		expect(again.error).toBeUndefined();
		expect(expectAtMostOne(name)).toBeDefined();
	};

	return {
		/** Held against each row. */
		deliver: async (seed: number, kinds?: readonly FaultKind[]) =>
			await sendIn(seed, kinds, 'recipients'),
		/** Held against the summary. */
		deliverByNode: async (seed: number, kinds?: readonly FaultKind[]) =>
			await sendIn(seed, kinds, 'summary'),
	};
};
