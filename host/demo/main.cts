import { closeAll } from '../process/commands.cts';
import { Problem } from '../process/problem.cts';
import { temporaryFolder } from '../process/temporaryFolder.cts';
import { openDemo } from './open.cts';
import { help, readOptions, type DemoOptions } from './options.cts';
import { showInBrowser } from './showInBrowser.cts';
import { smoke } from './smoke.cts';
import { forgetEverything, stateFolder, takeFolder } from './state.cts';
import { welcome } from './welcome.cts';

/** One line each, so that it reads well on a screen and in a log. */
const report = (text: string) => console.log(`  ${text}`);

const stop = { asked: false };

/** Stopping ends every command we have started; whatever waits for one of them then unwinds by itself. */
function askToStop() {
	// Asked twice: leave at once, the guards of the commands do the rest.
	if (stop.asked) process.exit(130);
	stop.asked = true;
	console.log('\nStopping …');
	void closeAll();
}

function listenForStop() {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, askToStop);
	// The bootstrap was killed.
	process.on('disconnect', askToStop);
	// Listening to it must not keep us alive.
	process.channel?.unref();
}

async function runSmoke({ port, sandboxPort }: DemoOptions) {
	const { folder, remove } = temporaryFolder();
	try {
		const { session } = await openDemo({ folder, port, sandboxPort, anyPort: true, report });
		return await smoke(session);
	} finally {
		await closeAll();
		await remove();
	}
}

async function runDemo({ port, sandboxPort, reset, opens }: DemoOptions) {
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
		if (opens) showInBrowser([demo.url, demo.faceUrl]);
		const ended = await demo.somethingEnded;
		if (!stop.asked)
			throw new Problem(`${ended.name} has ended by itself: its log is ${ended.logFile}`);
	} finally {
		await closeAll();
		hold.release();
	}
}

async function main(args: string[]) {
	listenForStop();
	// Until it has come to a good end.
	process.exitCode = 1;
	try {
		const options = readOptions(args);
		let good = true;
		if (options.help) console.log(help());
		else if (options.smoke) good = await runSmoke(options);
		else await runDemo(options);
		process.exitCode = good ? 0 : 1;
	} catch (error) {
		if (stop.asked) process.exitCode = 130;
		else console.error(error instanceof Problem ? `\n${error.message}` : error);
	}
}

void main(process.argv.slice(2));
