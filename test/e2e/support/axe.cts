import type { Page } from 'playwright-core';

const axePath = require.resolve('axe-core');

interface Finding {
	id: string;
	impact: string;
	nodes: Array<{ html: string }>;
}

/** What axe finds on the page, each as "impact id: elements". The page must let its script run: see `bypassCSP`. */
export async function axeFindings(page: Page): Promise<string[]> {
	await page.addScriptTag({ path: axePath });
	return await page.evaluate(async () => {
		// In the page, axe is there.
		const { axe } = globalThis as unknown as {
			axe: { run(): Promise<{ violations: Finding[] }> };
		};
		const { violations } = await axe.run();
		return violations.map(({ id, impact, nodes }) => {
			const elements = nodes.map(({ html }) => html).join(' ');
			return `${impact} ${id}: ${elements.slice(0, 300)}`;
		});
	});
}

/** How many pixels the page is too wide; 0 or less if nobody has to scroll sideways. */
export const sidewaysScroll = async (page: Page): Promise<number> =>
	await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
