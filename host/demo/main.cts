import { closeAll } from '../process/commands.cjs';
import { Problem } from '../process/problem.cjs';
import { temporaryFolder } from '../process/temporaryFolder.cjs';
import { openDemo } from './open.mjs';
import { help, readOptions } from './options.mjs';
import { smoke } from './smoke.mjs';
import { forgetEverything, stateFolder, takeFolder } from './state.mjs';
import { welcome } from './welcome.mjs';

/** One line each, so that it reads well on a screen and in a log. */
const report = (/** @type {string} */ text) => console.log(`  ${text}`);

/** Stopping ends every command we have started; whatever waits for one of them then unwinds by itself. */
function listenForStop() {
	const stop = { asked: false };
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => {
			// Asked twice: leave at once, the guards of the commands do the rest.
			if (stop.asked) process.exit(130);
			stop.asked = true;
			console.log('\nStopping …');
			void closeAll();
		});
	}
	return stop;
}

/** @param {ReturnType<typeof readOptions>} options */
async function runSmoke({ port, sandboxPort }) {
	const { folder, remove } = temporaryFolder();
	try {
		const { session } = await openDemo({ folder, port, sandboxPort, anyPort: true, report });
		return await smoke(session);
	} finally {
		await closeAll();
		await remove();
	}
}

/**
 * @param {ReturnType<typeof readOptions>} options
 * @param {{asked: boolean}} stop
 */
async function runDemo({ port, sandboxPort, reset }, stop) {
	const folder = stateFolder();
	const hold = await takeFolder(folder, report);
	try {
		if (reset) {
			forgetEverything(folder);
			report('what was made in the demo is forgotten');
		}
		const demo = await openDemo({ folder, port, sandboxPort, anyPort: false, report });
		hold.note({ url: demo.url, children: demo.pids });
		console.log(welcome(demo, folder));
		const ended = await demo.somethingEnded;
		if (!stop.asked)
			throw new Problem(`${ended.name} has ended by itself: its log is ${ended.logFile}`);
	} finally {
		await closeAll();
		hold.release();
	}
}

/** @param {string[]} args */
export async function main(args) {
	const stop = listenForStop();
	// Until it has come to a good end.
	process.exitCode = 1;
	try {
		const options = readOptions(args);
		let good = true;
		if (options.help) console.log(help());
		else if (options.smoke) good = await runSmoke(options);
		else await runDemo(options, stop);
		process.exitCode = good ? 0 : 1;
	} catch (error) {
		if (stop.asked) process.exitCode = 130;
		else console.error(error instanceof Problem ? `\n${error.message}` : error);
	}
}
