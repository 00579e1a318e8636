// @ts-check
'use strict';

/**
 * Removes a folder when its standard input ends: `node janitor.cjs <folder>`. Whoever uses the folder holds the other
 * end, so it goes even when they are killed. In that case nobody has waited for the processes that write into it; they
 * are being stopped, and may make the folder anew for a while. Who has waited says so by writing something.
 */
const { existsSync, rmSync } = require('node:fs');

const [folder] = process.argv.slice(2);
const watchMs = 40_000;

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
	process.on(signal, () => {});
}

let quiet = false;
process.stdin.on('data', () => {
	quiet = true;
});
process.stdin.on('close', () => {
	const begun = Date.now();
	(function remove() {
		try {
			rmSync(folder, { recursive: true, force: true });
		} catch {
			// A file has appeared meanwhile.
		}
		const done = quiet && !existsSync(folder);
		if (!done && Date.now() - begun < watchMs) setTimeout(remove, 250);
	})();
});
