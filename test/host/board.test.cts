import { createBoard } from '../../host/process/board.cts';
import { requireNotStopped, together } from '../../host/process/commands.cts';
import { part, whileReporting } from '../../host/process/report.cts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A board and everything it has written. */
function boardOn(isTTY: boolean) {
	const written: string[] = [];
	const write = (text: string) => written.push(text) > 0;
	return { written, ...createBoard({ write, isTTY, columns: 60 }) };
}

/** Work that ends when the test says so. */
function pending() {
	let end = () => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	return { ended, end };
}

test('in a log: one line when a part begins and ends, and every 15 seconds what is under way', async () => {
	const { report, written } = boardOn(false);
	const [n8n, driver] = [pending(), pending()];
	const both = Promise.all([
		part(report, 'n8n', async (line) => {
			line('812 of about 2,440 packages');
			await n8n.ended;
		}),
		part(report, 'database driver', () => driver.ended),
	]);
	await jest.advanceTimersByTimeAsync(16_000);
	driver.end();
	await jest.advanceTimersByTimeAsync(15_000);
	n8n.end();
	await both;
	await jest.advanceTimersByTimeAsync(60_000);

	expect(written.map((line) => line.trim())).toEqual([
		'n8n: started',
		'database driver: started',
		'15 s, under way: n8n (812 of about 2,440 packages), database driver',
		'database driver: done in 16 s',
		'30 s, under way: n8n (812 of about 2,440 packages)',
		'n8n: done in 31 s',
	]);
});

test('on a terminal: one line for each part, drawn again in its place and never wider than the screen', async () => {
	const { report, written } = boardOn(true);
	const [n8n, driver] = [pending(), pending()];
	const both = Promise.all([
		part(report, 'n8n', () => n8n.ended),
		part(report, 'database driver', async (line) => {
			line('x'.repeat(100));
			await driver.ended;
		}),
	]);
	await jest.advanceTimersByTimeAsync(1000);
	const redrawn = written.at(-1) ?? '';
	expect(redrawn.startsWith('\x1b[2A')).toBe(true);
	const lines = redrawn.slice('\x1b[2A'.length).trimEnd().split('\n');
	expect(lines).toEqual([
		'\x1b[2K  n8n              1 s  ',
		`\x1b[2K  database driver  1 s  ${'x'.repeat(35)}`,
	]);

	n8n.end();
	driver.end();
	await both;
	expect(written.at(-1)).toContain('database driver  done in 1 s\n');
});

test('after it is closed nothing is drawn over what others print', async () => {
	const { report, written, close } = boardOn(true);
	const { ended, end } = pending();
	const running = part(report, 'n8n', () => ended);
	close();
	const before = written.length;
	await jest.advanceTimersByTimeAsync(60_000);
	end();
	await running;
	expect(written).toHaveLength(before);
});

test.each([true, false])('a part that fails says so (terminal: %s)', async (isTTY) => {
	const { report, written } = boardOn(isTTY);
	const other = pending();
	const works = together(
		() => part(report, 'n8n', () => Promise.reject(new Error('no network'))),
		() =>
			part(report, 'driver', async () => {
				await other.ended;
				requireNotStopped();
			}),
	);
	await jest.advanceTimersByTimeAsync(2000);
	other.end();
	await expect(works).rejects.toThrow('no network');
	expect(written.slice(-2).join('')).toMatch(
		/n8n:? +failed after 0 s\n(.*\n)?.*driver:? +stopped after 2 s\n/,
	);
	const before = written.length;
	await jest.advanceTimersByTimeAsync(60_000);
	expect(written).toHaveLength(before);
});

test('without a board, the name of the part precedes its texts', async () => {
	const texts: string[] = [];
	const { ended, end } = pending();
	const report = (text: string) => void texts.push(text);
	const running = part(report, 'n8n', (line) =>
		whileReporting(
			line,
			(seconds) => `${seconds} s: still downloading`,
			() => ended,
		),
	);
	await jest.advanceTimersByTimeAsync(31_000);
	end();
	await running;
	expect(texts).toEqual(['n8n', 'n8n: 15 s: still downloading', 'n8n: 30 s: still downloading']);
});
