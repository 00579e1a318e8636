// npm run test:versions: the versions of n8n that people have.
import { parseArgs } from 'node:util';
import { n8nVersion } from '../../host/n8n/manifest.cts';
import { Problem } from '../../host/process/problem.cts';
import { prepareCheapCheck } from './cheap.cts';
import { versions } from './versions.cts';
import { renderColumns, testInWholeN8n, type Column } from './whole.cts';

const usage = `Usage: npm run test:versions -- [--whole VERSION ...]

Without options, it checks every supported version without installing n8n, except the one that all other tests use: whether the
sources compile with its types, and whether the package loads beside its n8n-workflow.

  --whole VERSION  installs that n8n (up to 10 minutes and 3 GB the first time) and runs the tests of test/e2e that depend on the
                   version in it; "all" for every version. Known: ${versions.map(({ n8n }) => n8n).join(', ')}`;

const report = (text: string) => console.log(`  ${text}`);

/** The versions whose numbers begin with this one. */
function chosen(names: string[]) {
	const found = names.flatMap((name) => {
		const matching = versions.filter(
			({ n8n }) => name === 'all' || `${n8n}.`.startsWith(`${name}.`),
		);
		if (matching.length > 0) return matching;
		throw new Problem(
			`"${name}" is not one of the versions that are tested: ${versions.map(({ n8n }) => n8n).join(', ')}`,
		);
	});
	return [...new Set(found)];
}

async function checkCheaply() {
	const cheap = await prepareCheapCheck(report);
	const waiting = versions.filter(({ isSupported, n8n }) => isSupported && n8n !== n8nVersion());
	const count = waiting.length;
	let failures = 0;
	const work = async () => {
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
			const { problems, summary } = await cheap.check(next.workflow);
			console.log(`n8n ${next.n8n} (n8n-workflow ${next.workflow}): ${summary}`);
			for (const problem of problems) report(problem);
			if (problems.length > 0) failures++;
		}
	};
	try {
		// One for each core of a small machine.
		await Promise.all([work(), work()]);
	} finally {
		await cheap.remove();
	}
	console.log(`test:versions: ${count - failures} of ${count} versions of n8n passed.`);
	return failures;
}

async function checkWhole(names: string[]) {
	const columns: Column[] = [];
	for (const { n8n } of chosen(names)) {
		console.log(`n8n ${n8n}`);
		columns.push(await testInWholeN8n(n8n));
		console.log(`\n${renderColumns(columns)}\n`);
	}
	return columns.reduce((sum, { failed }) => sum + failed, 0);
}

function readOptions() {
	try {
		return parseArgs({
			options: {
				whole: { type: 'string', multiple: true },
				help: { type: 'boolean', short: 'h', default: false },
			},
		});
	} catch (error) {
		throw new Problem(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
	}
}

async function main() {
	const { values } = readOptions();
	if (values.help) return console.log(usage);
	const failures = values.whole ? await checkWhole(values.whole) : await checkCheaply();
	if (failures > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
	console.error(error instanceof Problem ? error.message : error);
	process.exitCode = 1;
});
