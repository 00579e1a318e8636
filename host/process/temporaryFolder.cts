import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeBinary } from './node24.cjs';

interface TemporaryFolder {
	folder: string;
	remove: () => Promise<void>;
}

/** A folder that is deleted by `remove`, or when this process ends in any way. */
export function temporaryFolder(): TemporaryFolder {
	const folder = mkdtempSync(path.join(tmpdir(), 'n8n-host-'));
	const janitor = spawn(nodeBinary, [path.join(__dirname, 'janitor.cts'), folder], {
		detached: true,
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	janitor.unref();
	return {
		folder,
		remove: async () => {
			if (janitor.exitCode !== null) return;
			const gone = once(janitor, 'exit');
			// This process must not end before the janitor has finished.
			janitor.ref();
			janitor.stdin.end('quiet');
			await gone;
		},
	};
}
