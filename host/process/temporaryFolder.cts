// @ts-check
'use strict';

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

/**
 * A folder that is gone when `remove` has been called or this process has ended, in whatever way.
 * @returns {{folder: string, remove: () => Promise<void>}}
 */
function temporaryFolder() {
	const folder = mkdtempSync(path.join(tmpdir(), 'bulk-messaging-'));
	const janitor = spawn(process.execPath, [path.join(__dirname, 'janitor.cjs'), folder], {
		detached: true,
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	janitor.unref();
	return {
		folder,
		remove: async () => {
			if (janitor.exitCode !== null) return;
			const gone = once(janitor, 'exit');
			// Nothing else may be keeping this process alive.
			janitor.ref();
			janitor.stdin.end('quiet');
			await gone;
		},
	};
}

module.exports = { temporaryFolder };
