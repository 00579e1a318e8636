import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium, selectors, type Locator, type Page } from 'playwright-core';
import { owner } from '../../../host/n8n/owner.cts';
import { temporaryFolder } from '../../../host/process/temporaryFolder.cts';
import { keepPicture, type Picture } from '../../support/pictures.cts';
import { undoAfterwards } from './cleanup.cts';

const usualPlaces = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

function chromiumPath() {
	const found = [process.env.CHROMIUM_PATH ?? '', ...usualPlaces].find((place) =>
		existsSync(place),
	);
	if (found === undefined) {
		throw new Error(
			'No Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
		);
	}
	return found;
}

interface Editor {
	readonly page: Page;
	screenshot(name: string): Promise<void>;
	/** One of the README's; kept when E2E_README_PICTURES is set. */
	picture(name: Picture): Promise<void>;
	/** A node on the canvas. */
	node(name: string): Locator;
	/** Opens the panel of a node, alone on the screen. */
	open(name: string): Promise<Locator>;
	/** Closes the panel that is open, if one is. */
	close(): Promise<void>;
	/** Picks an entry of a "From list" field; returns all that are offered. */
	choose(parameter: string, entry: string): Promise<string[]>;
	/** A new tab of the same browser, instead of the one before. */
	newTab(): Promise<Editor>;
}

/** What n8n lays over the screen for a moment. The last one is an empty box of its code editor. */
export const withoutHints =
	'.el-notification, [role="tooltip"], [data-reka-popper-content-wrapper], [class^="ͼ"]:empty { display: none !important }';

/** Small enough to be read in a README, sharp enough for screens of today. */
const picturesOnly = process.env.E2E_README_PICTURES
	? { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 }
	: {};

/** Headless Chromium; closed when the test file is through. */
export async function openBrowser(
	options: { bypassCSP?: boolean; javaScriptEnabled?: boolean } = {},
) {
	const profile = temporaryFolder();
	const browser = await chromium.launchPersistentContext(profile.folder, {
		executablePath: chromiumPath(),
		viewport: { width: 1440, height: 900 },
		// Nothing moves, which takes processor time.
		reducedMotion: 'reduce',
		...picturesOnly,
		...options,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-dev-shm-usage',
			// Whatever the editor may want from elsewhere, it does not get it.
			'--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
		],
	});
	undoAfterwards(async () => {
		await browser.close();
		await profile.remove();
	});
	browser.setDefaultTimeout(180_000);
	return { browser, page: browser.pages()[0] ?? (await browser.newPage()) };
}

/** Kept in the folder E2E_SCREENSHOTS when that is set; a jpg, because n8n's build packs every png it finds. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
	const folder = process.env.E2E_SCREENSHOTS;
	if (!folder) return;
	mkdirSync(folder, { recursive: true });
	const file = path.join(folder, `${name}.jpg`);
	await page.screenshot({ path: file, type: 'jpeg', quality: 80 });
}

/** n8n's editor, signed in. */
export async function openEditor({ url }: { url: string }): Promise<Editor> {
	// n8n's spelling.
	selectors.setTestIdAttribute('data-test-id');
	const { page } = await openBrowser();
	await page.goto(`${url}/signin`);
	await page.fill('input[name="emailOrLdapLoginId"]', owner.email);
	await page.fill('input[name="password"]', owner.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL('**/home/**');
	return toEditor(page);
}

function toEditor(page: Page): Editor {
	const node = (name: string) =>
		page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	const panel = page.getByTestId('ndv');
	const close = async () => {
		if (!(await panel.isVisible())) return;
		await panel.getByTestId('ndv-close-button').click();
		await panel.waitFor({ state: 'hidden' });
	};

	return {
		page,
		screenshot: async (name) => await keepScreenshot(page, name),
		picture: async (name) => {
			if (!process.env.E2E_README_PICTURES) return;
			keepPicture(name, await page.screenshot({ type: 'jpeg', quality: 60, style: withoutHints }));
		},
		node,
		close,
		open: async (name) => {
			await close();
			await node(name).dblclick();
			await panel.waitFor();
			return panel;
		},
		choose: async (parameter, entry) => {
			await page.getByTestId(`resource-locator-${parameter}`).getByTestId('rlc-input').click();
			const entries = page.getByTestId('rlc-item');
			await entries.first().waitFor();
			const offered = await entries.allTextContents();
			await entries.filter({ hasText: entry }).click();
			return offered.map((text) => text.trim());
		},
		newTab: async () => {
			for (const one of page.context().pages().slice(1)) await one.close();
			return toEditor(await page.context().newPage());
		},
	};
}
