import { demo } from '../../sandbox/demo.cts';
import { nodes } from '../nodes/all.cts';
import type { Row } from '../nodes/row.cts';
import { jsonOf, useSandbox } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import { comparable, difference } from './support/contents.cts';
import { useCounts } from './support/counts.cts';

const hour = 3_600_000;
const counts = useCounts('clock');

/** The evening of the last day of a month. */
const lastEvening = Date.UTC(2026, 2, 31, 20, 30);
/** Into the next month, in every time zone of the service, and longer than a token lives. */
const jumpMs = 6 * hour;
const never = 1_000 * 24 * hour;

describe.each(nodes)("$name, when the service's clock jumps into the next month", (tested) => {
	const bench = useSandbox(tested.node);

	/** Runs a row; at its `place`th request the clock jumps. */
	const run = async (row: Row, place: number, tokenLifetimeMs: number) => {
		const { sandbox } = bench;
		sandbox.world.timeline.clear(lastEvening);
		sandbox.reset('demo');
		bench.store.settings.tokenLifetimeMs = never;
		await row.seed?.(sandbox);
		bench.store.settings.tokenLifetimeMs = tokenLifetimeMs;
		let calls = 0;
		const spy = jest.spyOn(sandbox.faults, 'strike').mockImplementation(({ path }) => {
			counts.requests++;
			if (path !== `${demo.partnerPath}/auth/token` && ++calls === place) {
				sandbox.tick(jumpMs);
				counts.faults++;
			}
			return undefined;
		});
		const result = await bench.run(row.operation, row.parameters, {
			inputItems: [row.input ?? { json: {} }],
		});
		spy.mockRestore();
		// Not what the service holds of its own settings.
		bench.store.settings.tokenLifetimeMs = never;
		return {
			failed: result.error?.message,
			json: comparableItems(jsonOf(result.items)),
			contents: JSON.parse(comparable(bench.contents())) as unknown,
			calls,
		};
	};

	test.each(tested.rows)('$operation: $title', async (row) => {
		for (let place = 1; place <= row.wire.length; place++) {
			const expected = await run(row, place, never);
			const found = await run(row, place, hour);
			counts.runs++;
			counts[found.failed === undefined ? 'completed' : 'stopped']++;
			const wrong = difference(expected.contents, found.contents);
			if (wrong.length > 0) counts.duplicated++;
			expect({ ...found, contents: wrong, calls: 0 }).toEqual({
				...expected,
				contents: [],
				calls: 0,
			});
		}
	});
});

/** Without what is measured or made up. */
const comparableItems = (json: object[]) =>
	JSON.parse(
		comparable(JSON.stringify({ events: [], json }))
			.replace(/"latencyMs":\d+/g, '"latencyMs":0')
			.replace(/"readAt":"[^"]*"/g, '"readAt":""'),
	) as unknown;

describe('when the clock of n8n jumps', () => {
	const [partner] = nodes;
	const bench = useSandbox(partner?.node);
	const day = 24 * hour;
	const realNow = Date.now.bind(Date);

	/** Whoever asks for the time of day, one after the other. */
	const jumping = (...offsets: number[]) => {
		let asked = 0;
		return jest
			.spyOn(Date, 'now')
			.mockImplementation(() => realNow() + (offsets[asked++ % offsets.length] ?? 0));
	};
	afterEach(() => jest.restoreAllMocks());

	test.each([
		['back', [0, -day]],
		['forth', [0, day]],
		['to and fro', [day, -day, 0]],
	])('%s: retries end, with pauses no longer than they are meant to be', async (_, offsets) => {
		for (const retryAfter of [undefined, '2', new Date(realNow() + 5_000).toUTCString()]) {
			bench.sandbox.faults.add({
				kind: 'status',
				status: 503,
				match: { method: 'GET' },
				times: 100,
				headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
			});
			tempo.pausedMs = 0;
			jumping(...offsets);
			const { error } = await bench.run('price.getSenderFees');
			jest.restoreAllMocks();
			counts.runs++;
			counts.stopped++;
			counts.requests += bench.sent('GET', '/price/senders');
			counts.faults += bench.sent('GET', '/price/senders');
			expect(error?.message).toBe("Something went wrong on the service's side");
			expect(bench.sent('GET', '/price/senders')).toBeLessThanOrEqual(4);
			// Four attempts with at most half a minute between two of them.
			expect(tempo.pausedMs).toBeLessThanOrEqual(3 * 30_000);
			bench.forget();
			bench.sandbox.faults.clear();
		}
	});

	test.each([
		['back', -day],
		['forth', day],
	])('%s: Wait for Completion waits as long as it is told to', async (_, offset) => {
		const row = partner?.rows.find(({ operation }) => operation === 'dispatch.stop');
		await row?.seed?.(bench.sandbox);
		jumping(0, 0, 0, offset);
		tempo.pausedMs = 0;
		const { error, items } = await bench.run('dispatch.waitForCompletion', {
			id: row?.parameters.id,
			limitMinutes: 0.02,
		});
		counts.runs++;
		counts.completed++;
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ completed: false }]);
		expect(tempo.pausedMs).toBeCloseTo(1_200);
	});
});
