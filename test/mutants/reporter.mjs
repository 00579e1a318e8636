// Prints what became of the mutants: the score of each file, and every mutant that no test has noticed.
import path from 'node:path';

/** Errors are listed too: Stryker leaves them out of the score, so that they must not pass for killed. */
const isUnnoticed = ({ status }) => !['Killed', 'Timeout', 'Ignored'].includes(status);
const inOneLine = (text) => text.replace(/\s+/g, ' ').trim();
const cut = (text) => (text.length > 160 ? `${text.slice(0, 157)}...` : text);

/** The text between two positions, which count from 1. */
const between = (source, { start, end }) => {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
	lines[0] = lines[0].slice(start.column - 1);
	return lines.join('\n');
};

class SurvivorsReporter {
	static inject = [];

	begun = performance.now();
	count = 0;
	done = 0;

	minutes() {
		return ((performance.now() - this.begun) / 60_000).toFixed(1);
	}

	onDryRunCompleted({ result }) {
		console.log(`${result.tests.length} tests pass without a mutant (${this.minutes()} minutes).`);
	}

	onMutationTestingPlanReady({ mutantPlans }) {
		this.count = mutantPlans.length;
		console.log(`${this.count} mutants.`);
	}

	onMutantTested({ status, fileName, location, mutatorName }) {
		this.done++;
		if (isUnnoticed({ status })) {
			console.log(
				`${status}: ${path.relative('', fileName)}:${location.start.line} ${mutatorName}`,
			);
		}
		if (this.done % 50 === 0)
			console.log(`${this.done} of ${this.count}, ${this.minutes()} minutes`);
	}

	onMutationTestReportReady({ files }, { systemUnderTestMetrics }) {
		const rows = {};
		const rowOf = ({ metrics: m }) => ({
			killed: m.killed,
			timeout: m.timeout,
			survived: m.survived,
			'no coverage': m.noCoverage,
			'not tried': m.compileErrors + m.runtimeErrors + m.ignored,
			score: Number(m.mutationScore.toFixed(1)),
		});
		const visit = (result) => {
			if (result.file) rows[result.file.name] = rowOf(result);
			result.childResults.forEach(visit);
		};
		visit(systemUnderTestMetrics);
		console.log('');
		console.table({ ...rows, all: rowOf(systemUnderTestMetrics) });

		for (const [name, { source, mutants }] of Object.entries(files)) {
			for (const mutant of mutants.filter(isUnnoticed)) {
				const { status, location, mutatorName, replacement, statusReason } = mutant;
				console.log(`${status} ${name}:${location.start.line} ${mutatorName}`);
				console.log(`  - ${cut(inOneLine(between(source, location)))}`);
				console.log(`  + ${cut(inOneLine(replacement ?? ''))}`);
				if (status === 'RuntimeError') console.log(`  ${cut(inOneLine(statusReason ?? ''))}`);
			}
		}
		const { mutationScore, survived, noCoverage, runtimeErrors } = systemUnderTestMetrics.metrics;
		console.log(
			`test:mutants: score ${mutationScore.toFixed(1)} %, ${survived} survived, ${noCoverage} without a test, ` +
				`${runtimeErrors} not tried because of errors, ${this.minutes()} minutes.`,
		);
		if (runtimeErrors > 0) process.exitCode = 1;
	}
}

export const strykerPlugins = [
	{ kind: 'Reporter', name: 'survivors', injectableClass: SurvivorsReporter },
];
