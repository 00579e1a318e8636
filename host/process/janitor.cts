/**
 * Deletes a folder when its standard input ends: `node janitor.cts <folder>`. The process that uses the folder keeps the
 * other end open, so the folder is deleted even when that process is killed. In that case other processes may still be
 * stopping and create files in the folder, so the janitor keeps deleting for a while. A caller that has waited for those
 * processes writes something to the input, and the janitor ends as soon as the folder is gone.
 *
 * Every temporary folder has its own janitor, so Node 24 runs this file directly, which starts three times faster than
 * tsx. Node only strips types and doesn't translate `import`, hence `getBuiltinModule`.
 */
const { existsSync, rmSync } = process.getBuiltinModule('node:fs');

const [folder] = process.argv.slice(2);
const watchMs = 40_000;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

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
			// A file was created meanwhile.
		}
		const done = quiet && !existsSync(folder);
		if (!done && Date.now() - begun < watchMs) setTimeout(remove, 250);
	})();
});
