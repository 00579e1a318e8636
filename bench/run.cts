/** `npm run bench`: our nodes beside n8n's own ones, in one n8n, as ratios. `-- --quick` tries it with small sizes. */
import { inspect, parseArgs } from 'node:util';
import { closeAll } from '../host/process/commands.cts';
import { Problem } from '../host/process/problem.cts';
import { figures } from './figures/index.cts';
import type { Figure } from './support/figure.cts';
import { prepareGround } from './support/ground.cts';
import { writeResults } from './support/results.cts';
import { renderTable, type Row, toRow } from './support/table.cts';

const usage = `Usage: npm run bench -- [--quick] [--only TEXT]

  --quick      small sizes and few repetitions, to see that it works
  --only TEXT  only the figures whose name contains TEXT

A run that is not quick puts what it has measured into bench/results.json.`;

const undos: Array<() => Promise<void>> = [];
const undoAll = async () => {
	for (const undo of undos.splice(0).reverse()) await undo();
};

let interrupted = false;
for (const [signal, code] of [
	['SIGINT', 130],
	['SIGTERM', 143],
] as const) {
	process.on(signal, () => {
		if (interrupted) return;
		interrupted = true;
		console.log('\nStopping.');
		// Whatever is being started has no undo yet, so every process is stopped first.
		void closeAll()
			.then(undoAll)
			.finally(() => process.exit(code));
	});
}

const placeOf = (row: Row) => figures.findIndex(({ name }) => name === row.figure);
const report = (text: string) => console.log(`  ${text}`);
/** With its causes: a failed fetch says why only there. */
const explain = (error: unknown) => (error instanceof Problem ? error.message : inspect(error));

async function main() {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			only: { type: 'string', default: '' },
			help: { type: 'boolean', short: 'h', default: false },
		},
	});
	const { quick, only } = values;
	if (values.help) return console.log(usage);
	const chosen = figures.filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()));
	if (chosen.length === 0) throw new Problem(`No figure is called "${only}".`);

	console.log('Preparing');
	const ground = await prepareGround({ quick, report, undoLater: (undo) => undos.push(undo) });
	const rows: Row[] = [];
	let failed = 0;
	const measure = async (figure: Figure) => {
		const begun = performance.now();
		console.log(figure.name);
		try {
			const comparisons = await figure.run(ground);
			rows.push(...comparisons.map((comparison) => toRow(figure.name, comparison)));
			const seconds = Math.round((performance.now() - begun) / 1_000);
			report(`${figure.name}: measured in ${seconds} s`);
		} catch (error) {
			if (interrupted) return;
			failed++;
			report(`${figure.name}: could not be measured: ${explain(error)}`);
		}
	};
	const inTurn = async (some: readonly Figure[]) => {
		for (const figure of some) if (!interrupted) await measure(figure);
	};
	// A quick run only shows that it works, so figures that don't share anything may disturb each other.
	const isBeside = ({ isApart }: Figure) => quick && isApart === true;
	await Promise.all([
		inTurn(chosen.filter((figure) => !isBeside(figure))),
		inTurn(chosen.filter(isBeside)),
	]);
	if (interrupted) return;
	rows.sort((one, other) => placeOf(one) - placeOf(other));

	console.log(`\n${renderTable(rows)}\n`);
	const missed = rows.filter(({ met }) => met === false).length;
	const required = rows.filter(({ met }) => met !== undefined).length;
	if (quick) console.log('A quick run: it shows that the bench works, the figures mean nothing.');
	console.log(`Limits met: ${required - missed} of ${required}.`);
	// A limit that is missed is a result; a figure that could not be measured is a failure.
	if (failed > 0) {
		console.log(`Figures that could not be measured: ${failed}.`);
		process.exitCode = 1;
	} else if (!quick) {
		await writeResults(rows, figures);
	}
}

main()
	.catch((error: unknown) => {
		if (interrupted) return;
		console.error(explain(error));
		process.exitCode = 1;
	})
	.finally(async () => {
		if (!interrupted) await undoAll();
	});
