import type { WriteStream } from 'node:tty';
import { isStopped } from './commands.cts';
import type { Report } from './report.cts';

interface Line {
	name: string;
	text: string;
	begun: number;
	/** How it ended and how long it took, once it has ended. */
	outcome?: string;
}

/** How often the lines are drawn again on a terminal, and how often a log says what is under way. */
const drawMs = 1000;
const logMs = 15_000;

const secondsSince = (begun: number) => Math.round((Date.now() - begun) / 1000);

/**
 * Shows several parts of the work that run at the same time. On a terminal each part has one line, which is drawn again
 * as it changes. Elsewhere there is one line when a part begins and one when it ends, and every 15 seconds one line with
 * everything that is still under way.
 */
export function createBoard(stream: Pick<WriteStream, 'write' | 'isTTY' | 'columns'>) {
	const lines: Line[] = [];
	let drawn = 0;
	let timer: NodeJS.Timeout | undefined;
	let begun = 0;
	let closed = false;

	const print = (text: string) => stream.write(`  ${text}\n`);
	const isRunning = ({ outcome }: Line) => outcome === undefined;

	function draw() {
		const width = Math.max(...lines.map(({ name }) => name.length));
		const texts = lines.map((line) => {
			const status = line.outcome ?? `${secondsSince(line.begun)} s  ${line.text}`;
			return `  ${line.name.padEnd(width)}  ${status}`.slice(0, (stream.columns || 80) - 1);
		});
		// Up to the first line, then each line anew.
		stream.write(
			`${drawn > 0 ? `\x1b[${drawn}A` : ''}${texts.map((text) => `\x1b[2K${text}\n`).join('')}`,
		);
		drawn = texts.length;
	}

	function log() {
		const parts = lines
			.filter(isRunning)
			.map(({ name, text }) => (text === '' ? name : `${name} (${text})`));
		print(`${secondsSince(begun)} s, under way: ${parts.join(', ')}`);
	}

	function stopTimer() {
		clearInterval(timer);
		timer = undefined;
	}

	function change(note: string) {
		if (closed) return;
		if (stream.isTTY) draw();
		else print(note);
		if (!lines.some(isRunning)) stopTimer();
		else timer ??= setInterval(stream.isTTY ? draw : log, stream.isTTY ? drawMs : logMs);
	}

	const report: Report = (text) => {
		print(text);
		// The lines above this text stay as they are. What still runs gets a new line below it.
		lines.splice(0, lines.length, ...lines.filter(isRunning));
		drawn = 0;
	};

	report.part = async (name, work) => {
		if (lines.length === 0) begun = Date.now();
		const line: Line = { name, text: '', begun: Date.now() };
		lines.push(line);
		change(`${name}: started`);
		const reportPart: Report = (text) => {
			line.text = text;
		};
		reportPart.part = report.part;
		const end = (how: string) => {
			line.outcome = `${how} ${secondsSince(line.begun)} s`;
			change(`${name}: ${line.outcome}`);
		};
		try {
			const result = await work(reportPart);
			end('done in');
			return result;
		} catch (error) {
			// If another part has failed, this one was only stopped.
			end(isStopped() ? 'stopped after' : 'failed after');
			throw error;
		}
	};

	/** Nothing is drawn after this: it would overwrite what is printed next. */
	function close() {
		closed = true;
		stopTimer();
	}

	return { report, close };
}
