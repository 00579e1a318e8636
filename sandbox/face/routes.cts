import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from 'hono/html';
import { streamSSE } from 'hono/streaming';
import { errorResponse, type App } from '../api/route.cts';
import type { World } from '../stored/world.cts';
import { accountView } from './account.cts';
import { callbacksView } from './callbacks.cts';
import { controlsView } from './controls.cts';
import { dispatchesView } from './dispatches.cts';
import { heldView, holdNotice } from './held.cts';
import { messageView } from './message.cts';
import { clockView, type Html, type Query } from './parts.cts';
import { phonesView } from './phones.cts';
import { requestsView } from './requests.cts';

/** The pages for people. They are kept up to date while they are open. */

const pages: ReadonlyArray<{
	path: string;
	name: string;
	view: (world: World, query: Query) => Html;
	/** The entry of the menu that is marked, if the page has none itself. */
	under?: string;
}> = [
	{ path: '/', name: 'Phones', view: phonesView },
	{ path: '/dispatches', name: 'Dispatches', view: dispatchesView },
	{ path: '/callbacks', name: 'Callbacks', view: callbacksView },
	{ path: '/account', name: 'Account', view: accountView },
	{ path: '/requests', name: 'Requests', view: requestsView },
	{ path: '/controls', name: 'Controls', view: controlsView },
	{ path: '/messages', name: 'Message', view: messageView, under: 'Phones' },
	{ path: '/held', name: 'Held deliveries', view: heldView, under: 'Controls' },
];

/** Only the sandbox's own files are loaded and run, so a message's text can never become a script. */
const securityHeaders = {
	'content-security-policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'cross-origin-opener-policy': 'same-origin',
	'cache-control': 'no-store',
};

const assetFolder = join(__dirname, 'assets');
const assets: Readonly<Record<string, { type: string; read: () => Buffer }>> = {
	'face.css': { type: 'text/css', read: () => readFileSync(join(assetFolder, 'face.css')) },
	'face.js': { type: 'text/javascript', read: () => readFileSync(join(assetFolder, 'face.js')) },
	'live.js': { type: 'text/javascript', read: () => readFileSync(join(assetFolder, 'live.js')) },
	'idiomorph.js': {
		type: 'text/javascript',
		read: () => readFileSync(require.resolve('idiomorph/dist/idiomorph.min.js')),
	},
};

const menu = pages.filter(({ under }) => under === undefined);

const frameView = (name: string, marked: string, content: Html): Html =>
	html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>${name} · Messaging sandbox</title>
				<link rel="icon" href="data:," />
				<link rel="stylesheet" href="/assets/face.css" />
				<script src="/assets/idiomorph.js" defer></script>
				<script src="/assets/face.js" defer></script>
			</head>
			<body>
				<a class="skip" href="#main">Skip to the content</a>
				<header class="top">
					<h1>Messaging sandbox</h1>
					<nav aria-label="Sandbox pages">
						${menu.map(
							(page) =>
								html`<a href="${page.path}" ${page.name === marked ? html`aria-current="page"` : ''}
									>${page.name}</a
								>`,
						)}
					</nav>
				</header>
				<main id="main" tabindex="-1">${content}</main>
				<output id="status" role="status"></output>
			</body>
		</html>`;

/** How often an open page is checked for changes. */
const pulseMs = 500;
/** After this many checks without a change, a pulse is sent to keep the connection open. */
const silentPulses = 40;

export const faceRoutes = (app: App, world: World, changes: () => number): void => {
	for (const { path, name, view, under = name } of pages) {
		app.get(path, async (context) => {
			try {
				const query = Object.fromEntries(new URL(context.req.url).searchParams);
				const content = html`${clockView(world)}${holdNotice(world)}${view(world, query)}`;
				const isPart = context.req.header('x-part') === 'main';
				const page = await (isPart ? content : frameView(name, under, content));
				return new Response(String(page), {
					headers: { 'content-type': 'text/html; charset=utf-8', ...securityHeaders },
				});
			} catch (error) {
				return errorResponse(error);
			}
		});
	}

	app.get('/assets/:file', (context) => {
		const file = context.req.param('file');
		if (!Object.hasOwn(assets, file)) return context.notFound();
		const { type, read } = assets[file];
		return new Response(new Uint8Array(read()), {
			headers: { 'content-type': `${type}; charset=utf-8`, ...securityHeaders },
		});
	});

	app.get('/live', (context) =>
		streamSSE(context, async (stream) => {
			let lastSeen = changes();
			let silent = 0;
			await stream.writeSSE({ event: 'change', data: '' });
			while (!stream.aborted && !stream.closed) {
				await stream.sleep(pulseMs);
				const now = changes();
				if (now !== lastSeen) {
					lastSeen = now;
					silent = 0;
					await stream.writeSSE({ event: 'change', data: '' });
				} else if (++silent >= silentPulses) {
					silent = 0;
					await stream.writeSSE({ event: 'pulse', data: '' });
				}
			}
		}),
	);
};
