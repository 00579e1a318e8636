// `npm run demo`. Nothing is imported before the check: an old Node must get as far as its sentence.
const major = Number(process.versions.node.split('.')[0]);

if (major < 20) {
	console.error(`The demo needs Node 20 or newer, and this is Node ${process.versions.node}.`);
	process.exitCode = 1;
} else if (process.platform === 'win32') {
	console.error('The demo runs on Linux and macOS; on Windows, start it inside WSL.');
	process.exitCode = 1;
} else {
	import('./demo/main.mjs').then(({ main }) => main(process.argv.slice(2)));
}
