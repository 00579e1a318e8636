import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startCommand } from '../../../host/process/commands.cts';
import { temporaryFolder } from '../../../host/process/temporaryFolder.cts';
import { undoAfterwards } from './cleanup.cts';
import { parentOf } from './processes.cts';

const program = path.join(__dirname, '..', '..', '..', 'host', 'bootstrap.cjs');

interface RunningDemo {
	/** What it has printed so far. */
	output(): string;
	/** Until it says so, or has ended. */
	until(text: string): Promise<void>;
	/** What npm starts, the demo itself and the groups it has started, as it has written them down. */
	processes(): { bootstrap: number; demo: number; children: number[] };
	readonly exitCode: Promise<number>;
}

interface DemoFolder {
	readonly folder: string;
	/** `npm run demo -- args`, with its state in this folder. */
	start(args: string[], environment?: Record<string, string>): RunningDemo;
}

/** A place for demos that is not the one of whoever runs the tests. */
export function demoFolder(): DemoFolder {
	const temporary = temporaryFolder();
	undoAfterwards(temporary.remove);
	const folder = path.join(temporary.folder, 'demo');
	let count = 0;

	return {
		folder,
		start: (args, environment = {}) => {
			const logFile = path.join(temporary.folder, `demo-${(count += 1)}.log`);
			const running = startCommand(process.execPath, [program, ...args], {
				env: { ...process.env, BULK_MESSAGING_DEMO_FOLDER: folder, ...environment },
				logFile,
			});
			undoAfterwards(running.stop);
			const output = () => readFileSync(logFile, 'utf8');
			return {
				output,
				until: async (text) => {
					while (!output().includes(text)) {
						if (!running.isRunning()) throw new Error(`The demo has ended:\n${output()}`);
						await pause(100);
					}
				},
				processes: () => {
					const run = JSON.parse(readFileSync(path.join(folder, 'run.json'), 'utf8')) as {
						demo: number;
						children: number[];
					};
					return { ...run, bootstrap: parentOf(run.demo) };
				},
				exitCode: running.ended,
			};
		},
	};
}
