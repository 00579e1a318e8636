import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' };

/** Opens addresses in the browser of whoever sits there. Without a screen, or without a browser, nothing happens. */
export function showInBrowser(urls: readonly string[]) {
	const opener = openers[process.platform];
	const hasScreen =
		process.platform === 'darwin' ||
		Boolean(process.env.DISPLAY) ||
		Boolean(process.env.WAYLAND_DISPLAY);
	if (opener === undefined || !hasScreen || !process.stdout.isTTY) return;
	for (const url of urls) {
		const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
		// The addresses are printed anyway.
		child.on('error', () => undefined);
		child.unref();
	}
}
