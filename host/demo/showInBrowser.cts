import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' };

/**
 * Opens URLs in the user's browser. Without a screen, a terminal or a browser it does nothing: the URLs are printed anyway.
 * On Windows the demo runs inside WSL, which counts as Linux here.
 */
export function showInBrowser(urls: readonly string[]) {
	const opener = openers[process.platform];
	const hasScreen =
		process.platform === 'darwin' ||
		Boolean(process.env.DISPLAY) ||
		Boolean(process.env.WAYLAND_DISPLAY);
	if (opener === undefined || !hasScreen || !process.stdout.isTTY) return;
	for (const url of urls) {
		const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
		// There is no browser to open.
		child.on('error', () => undefined);
		child.unref();
	}
}
