import { readSamples } from './samples.cts';
import { createBoard } from '../process/board.cts';
import { closeAll } from '../process/commands.cts';
import { Problem } from '../process/problem.cts';
import { temporaryFolder } from '../process/temporaryFolder.cts';
import { ensureDependencies } from './dependencies.cts';
import { openDemo } from './open.cts';
import { readOptions, type DemoOptions } from './options.cts';
import { showInBrowser } from './showInBrowser.cts';
import { smoke } from './smoke.cts';
import { claimFolder, deleteState, stateFolder } from './state.cts';
import { welcome } from './welcome.cts';

const board = createBoard(process.stdout);
const { report } = board;

const stop = { asked: false };

/** Stops every command this process has started. Code that waits for one of them then ends by itself. */
function askToStop() {
	// Asked a second time: exit at once. The guards stop the commands.
	if (stop.asked) process.exit(130);
	stop.asked = true;
	board.close();
	console.log('\nStopping …');
	void closeAll();
}

function listenForStop() {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, askToStop);
	// The bootstrap was killed.
	process.on('disconnect', askToStop);
	// Listening to the channel must not keep this process alive.
	process.channel?.unref();
}

async function runSmoke({ port, sandboxPort, only }: DemoOptions) {
	const all = readSamples();
	const unknown = only.find((text) => !all.some(({ file }) => file.includes(text)));
	if (unknown !== undefined) {
		throw new Problem(`No file in workflows/ has "${unknown}" in its name.`);
	}
	const samples = all.filter(
		({ file }) => only.length === 0 || only.some((text) => file.includes(text)),
	);
	// A temporary folder needs Node 24.
	await ensureDependencies(report);
	const { folder, remove } = temporaryFolder();
	try {
		const { session } = await openDemo({ folder, port, sandboxPort, anyPort: true, report });
		return await smoke(session, samples);
	} finally {
		await closeAll();
		await remove();
	}
}

async function runDemo({ port, sandboxPort, reset, opens }: DemoOptions) {
	const folder = stateFolder();
	const claim = await claimFolder(folder, report);
	try {
		if (reset) {
			deleteState(folder);
			report('deleted everything that was made in the demo');
		}
		const demo = await openDemo({ folder, port, sandboxPort, anyPort: false, report });
		claim.record({ url: demo.url, children: demo.pids });
		console.log(welcome(demo, folder));
		if (opens) showInBrowser([demo.url, demo.faceUrl]);
		const ended = await demo.somethingEnded;
		if (!stop.asked)
			throw new Problem(`${ended.name} stopped unexpectedly. Its log is ${ended.logFile}`);
	} finally {
		await closeAll();
		claim.release();
	}
}

async function main(args: string[]) {
	listenForStop();
	// Until the run has succeeded.
	process.exitCode = 1;
	try {
		const options = readOptions(args);
		let passed = true;
		if (options.smoke) passed = await runSmoke(options);
		else await runDemo(options);
		process.exitCode = passed ? 0 : 1;
	} catch (error) {
		board.close();
		if (stop.asked) process.exitCode = 130;
		else console.error(error instanceof Problem ? `\n${error.message}` : error);
	}
}

void main(process.argv.slice(2));
