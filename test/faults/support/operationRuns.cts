import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox/sandbox.cts';
import type { TestedNode } from '../../nodes/all.cts';
import type { Row } from '../../nodes/row.cts';
import type { NodeResult } from '../../support/n8n.cts';
import { jsonOf, useSandbox } from '../../support/sandbox.cts';
import type { Counts } from '../../support/storm.cts';
import { comparable, difference } from './contents.cts';

/** What the service holds on the way of one call that succeeds. */
interface Way {
	before: string;
	/** Every state on the way, the first and the last included. */
	states: Set<string>;
	after: string;
	/** What left the node. */
	json: IDataObject[];
}

/** What the last look at the service tells, and may be missing where that look failed. */
const lookedUp = ['name', 'priceEstimate'];

/**
 * The result as it would be without faults. What is only known from a look that failed is missing, and so is the currency
 * where the answer to the creation was lost. A message whose answer was lost has been looked up: its status is there.
 */
const asWithoutFaults = (json: IDataObject[], { json: expected }: Way): IDataObject[] =>
	json.map((item, index) => {
		const wanted = expected[index] ?? {};
		const known = Object.entries(wanted).filter(([name]) => lookedUp.includes(name));
		const { total } = (item.priceEstimate ?? wanted.priceEstimate ?? {}) as { total?: number };
		const estimate = { ...(wanted.priceEstimate as object), total };
		const { status, ...rest } = item;
		return {
			...Object.fromEntries(known),
			...rest,
			...('priceEstimate' in wanted && { priceEstimate: estimate }),
			...('status' in wanted && { status }),
		};
	});

type Failure = NonNullable<NodeResult['error']>;

const wordsOf = ({ message, description }: Failure) => `${message} ${description ?? ''}`;

/** The error says that something may be done, or what is done already. */
const tells = (error: Failure) =>
	/not known|unclear whether|Dispatch \d+ (?:is|contains|exists)|are in dispatch \d+|closing date was set/.test(
		wordsOf(error),
	);

const claimsDone = (error: Failure) =>
	/Dispatch \d+ (?:is|exists|contains [1-9])|are in dispatch \d+|closing date was set/.test(
		wordsOf(error),
	);

const told = ({ after }: Way, now: string) =>
	difference(JSON.parse(after), JSON.parse(now)).slice(0, 5).join(', ');

/** What a user can do nothing with. */
const unclear = (error: Failure): string | undefined => {
	const words = wordsOf(error);
	if (!/^Node(?:Api|Operation)Error$/.test(error.name)) return error.name;
	if (!error.description) return 'no description';
	return /undefined|\[object|\bnull\b|NaN|Cannot read|is not a function|is not iterable/.exec(
		words,
	)?.[0];
};

/** Runs single operations while requests fail, and holds each against what the service has in the end. */
export const useOperationRuns = ({ node }: TestedNode, counts: Counts) => {
	const bench = useSandbox(node);
	const state = () => comparable(bench.contents());

	const begin = async (row: Row) => {
		bench.sandbox.reset('demo');
		bench.forget();
		await row.seed?.(bench.sandbox);
	};

	const run = async (row: Row, tries = 1) =>
		await bench.run(row.operation, row.parameters, {
			inputItems: [row.input ?? { json: {} }],
			tries,
		});

	/** One call without faults. */
	const goAlong = async (row: Row): Promise<Way> => {
		await begin(row);
		const before = state();
		const states = new Set([before]);
		const { faults } = bench.sandbox;
		const spy = jest.spyOn(faults, 'strike').mockImplementation(() => {
			states.add(state());
			return undefined;
		});
		const { error, items } = await run(row);
		spy.mockRestore();
		if (error !== undefined) throw error;
		const after = state();
		states.add(after);
		return { before, states, after, json: jsonOf(items) };
	};

	const judgeSuccess = (row: Row, { items }: NodeResult, way: Way): string | undefined => {
		const now = state();
		if (now !== way.after) {
			const isLess = way.states.has(now);
			// The service answered "done" without a readable word, and the result says that nothing confirms it.
			if (isLess && jsonOf(items).every(({ confirmed }) => confirmed === false)) return undefined;
			counts[isLess ? 'lost' : 'duplicated']++;
			return isLess
				? 'succeeded, and was not carried out'
				: `succeeded, and left ${told(way, now)}`;
		}
		const json = jsonOf(items);
		// The answer to the very question whether the service fails.
		if (row.operation === 'account.ping' && json[0]?.available === false) return undefined;
		try {
			row.output(asWithoutFaults(json, way));
			return undefined;
		} catch {
			counts.untrue++;
			return `succeeded, and gave ${JSON.stringify(json)}`;
		}
	};

	const judgeFailure = async (row: Row, error: Failure, way: Way): Promise<string | undefined> => {
		const words = wordsOf(error);
		const now = state();
		if (!way.states.has(now)) {
			counts.duplicated++;
			return `failed with "${words}", and left ${told(way, now)}`;
		}
		const strange = unclear(error);
		if (strange !== undefined || (now === way.before && claimsDone(error))) {
			counts.untrue++;
			return `failed, and said (${strange ?? 'untrue'}) "${words}"`;
		}
		if (now === way.before || tells(error)) return undefined;
		// Nothing keeps the user from running it again.
		await run(row);
		if (state() === way.after) return undefined;
		counts.untrue++;
		return `failed with "${words}"; running it again left ${told(way, state())}`;
	};

	/**
	 * Runs a row once while `disturb` disturbs the service; it gives what ends that. What is wrong with what came of it;
	 * nothing when all is well.
	 */
	const runDisturbed = async (
		row: Row,
		way: Way,
		disturb: (sandbox: Sandbox) => () => Promise<void> | void,
		tries?: number,
	): Promise<string | undefined> => {
		await begin(row);
		counts.runs++;
		const end = disturb(bench.sandbox);
		const result = await run(row, tries);
		await end();
		counts[result.error === undefined ? 'completed' : 'stopped']++;
		const wrong =
			result.error === undefined
				? judgeSuccess(row, result, way)
				: await judgeFailure(row, result.error, way);
		return wrong && `${row.operation} (${row.title}): ${wrong}`;
	};

	return { goAlong, runDisturbed };
};
