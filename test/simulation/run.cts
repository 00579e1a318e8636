// npm run test:simulation: the real nodes in virtual time, against a service that fails at random. A seed is a history.
import { parseArgs } from 'node:util';
import { changeFaultNames, contradictions } from './faults.cts';
import { historyKinds, playHistory, type History } from './history.cts';
import type { Problem } from './plans.cts';

const usage = `Usage: npm run test:simulation -- [options]

  --histories N       how many histories are played (5000)
  --first N           the first seed (1)
  --seed N            only this history
  --verbose           print every request, answer and result of the history
  --without A,B       leave out these faults: ${changeFaultNames.join(', ')}
  --all-faults        also those that are left out otherwise: ${[...contradictions].join(', ')}
  --kind KIND         only these histories: ${historyKinds.slice(1).join(', ')}
  --problem TEXT      count and name only problems whose kind contains the text`;

/** How often each kind of problem occurred, and where it can be seen. */
class Tally {
	private readonly seedsByKind = new Map<string, Set<number>>();

	add(seed: number, problems: readonly Problem[]): void {
		for (const { kind } of problems) {
			this.seedsByKind.set(kind, (this.seedsByKind.get(kind) ?? new Set()).add(seed));
		}
	}

	print(): void {
		const rows = [...this.seedsByKind].sort(([, one], [, other]) => other.size - one.size);
		for (const [kind, seeds] of rows) {
			const examples = [...seeds].slice(0, 6).join(' ');
			console.log(`${String(seeds.size).padStart(6)}  ${kind.padEnd(60)} e.g. seed ${examples}`);
		}
	}
}

const readOptions = () =>
	parseArgs({
		options: {
			histories: { type: 'string', default: '5000' },
			first: { type: 'string', default: '1' },
			seed: { type: 'string' },
			verbose: { type: 'boolean', default: false },
			without: { type: 'string', default: '' },
			'all-faults': { type: 'boolean', default: false },
			kind: { type: 'string', default: 'usual' },
			problem: { type: 'string', default: '' },
			help: { type: 'boolean', short: 'h', default: false },
		},
	}).values;

const main = async () => {
	const options = readOptions();
	if (options.help) return console.log(usage);
	const wanted = historyKinds.find((one) => one === options.kind);
	if (wanted === undefined) return console.log(usage);
	const isOne = options.seed !== undefined;
	const first = Number(options.seed ?? options.first);
	const count = isOne ? 1 : Number(options.histories);
	const without = new Set(options.without.split(',').filter((name) => name !== ''));
	if (!options['all-faults']) contradictions.forEach((name) => without.add(name));
	const log = options.verbose ? (line: string) => console.log(line) : undefined;
	const begun = performance.now();
	const tally = new Tally();
	const unavoidable = new Tally();
	const kinds = new Map<History['kind'], number>();
	let failed = 0;
	let requests = 0;
	for (let seed = first; seed < first + count; seed++) {
		const history = await playHistory(seed, { kind: wanted, without, log });
		const problems = history.problems.filter(({ kind }) => kind.includes(options.problem));
		if (isOne) for (const { kind, text } of problems) console.log(`${kind}: ${text}`);
		tally.add(seed, problems);
		unavoidable.add(seed, history.unavoidable);
		kinds.set(history.kind, (kinds.get(history.kind) ?? 0) + 1);
		if (problems.length > 0) failed++;
		requests += history.requests;
	}
	const seconds = (performance.now() - begun) / 1_000;
	tally.print();
	unavoidable.print();
	const ofKinds = [...kinds].map(([kind, number]) => `${number} ${kind}`).join(', ');
	console.log(
		`${count} histories (${ofKinds}), ${requests} requests, ${seconds.toFixed(1)} s, ` +
			`${(count / seconds).toFixed(0)} a second: ${failed} with problems.`,
	);
	if (failed > 0 && !isOne) {
		console.log('To see one: npm run test:simulation -- --seed N --verbose');
	}
	process.exitCode = failed > 0 ? 1 : 0;
};

void main();
