import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, selectors, type Page } from 'playwright-core';
import { owner } from '../../../scripts/host/owner.cjs';
import { temporaryFolder } from '../../../scripts/host/temporary.cjs';
import { undoAfterwards } from './cleanup.cts';
import type { TestN8n } from './n8n.cts';

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

export interface Editor {
	readonly page: Page;
	/** Kept in the folder E2E_SCREENSHOTS when that is set; a jpg, because n8n's build packs every png it finds. */
	screenshot(name: string): Promise<void>;
}

/** n8n's editor in headless Chromium, signed in; closed when the test file is through. */
export async function openEditor({ url }: TestN8n): Promise<Editor> {
	// n8n's spelling.
	selectors.setTestIdAttribute('data-test-id');
	const profile = temporaryFolder();
	const browser = await chromium.launchPersistentContext(profile.folder, {
		executablePath: chromiumPath(),
		viewport: { width: 1440, height: 900 },
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
	browser.setDefaultTimeout(30_000);

	const page = browser.pages()[0] ?? (await browser.newPage());
	await page.goto(`${url}/signin`);
	await page.fill('input[name="emailOrLdapLoginId"]', owner.email);
	await page.fill('input[name="password"]', owner.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL('**/home/**');

	return {
		page,
		screenshot: async (name) => {
			const picture = await page.screenshot({ type: 'jpeg', quality: 80 });
			const folder = process.env.E2E_SCREENSHOTS;
			if (!folder) return;
			mkdirSync(folder, { recursive: true });
			writeFileSync(path.join(folder, `${name}.jpg`), picture);
		},
	};
}
