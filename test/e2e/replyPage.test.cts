import type { Page } from 'playwright-core';
import { demo } from '../../sandbox/demo.cts';
import { loopWorkflow, reply, untilItWaits, waitingWorkflow } from './support/waiting.cts';
import { axeFindings, sidewaysScroll } from './support/axe.cts';
import { keepScreenshot, openBrowser } from './support/browser.cts';
import { sharedN8n, type TestN8n } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';

/** The page behind the link in a message, in a browser. */

const { numbers } = demo;
const small = { width: 320, height: 640 };

let n8n: TestN8n;
let service: OpenSandbox;

beforeAll(async () => {
	[n8n, service] = await Promise.all([sharedN8n(), startOpenSandbox({ speed: 0 })]);
	await n8n.importCredentials(Object.values(service.credentials));
});

let count = 0;
const ask = async (responseType: 'approval' | 'freeText', parameters: object = {}) => {
	const options = { parameters: { responseType, ...parameters } };
	const workflow = waitingWorkflow(`page${++count}`, service, options);
	const waiting = await untilItWaits(n8n, service, workflow);
	return {
		...waiting,
		/** The node's output when it is over. */
		outcome: async () => (await waiting.end()).items('Wait').map(({ json }) => json),
	};
};

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** What the keyboard is on. */
const focused = (page: Page) => page.locator(':focus');

describe('without JavaScript, at 320 pixels, by keyboard', () => {
	let page: Page;
	beforeAll(async () => {
		({ page } = await openBrowser({ javaScriptEnabled: false }));
		await page.setViewportSize(small);
	});

	test.each([
		['Approve', 1, { outcome: 'approved', data: { approved: true } }],
		['Decline', 2, { outcome: 'declined', data: { approved: false } }],
	])('%s', async (label, tabs, outcome) => {
		const waiting = await ask('approval', { message: `Yes? ${'long'.repeat(50)}` });
		await page.goto(waiting.link);
		await heading(page, 'Your reply is needed').waitFor();
		expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
		for (let pressed = 0; pressed < tabs; pressed++) await page.keyboard.press('Tab');
		expect(await focused(page).textContent()).toBe(label);
		await page.keyboard.press('Enter');
		await heading(page, 'Thank you').waitFor();
		expect(await waiting.outcome()).toMatchObject([outcome]);
		// Going back shows nothing that could be sent again.
		await page.goto(waiting.link);
		await heading(page, 'No action required').waitFor();
	});

	test('a text', async () => {
		const waiting = await ask('freeText');
		await page.goto(waiting.link);
		await page.keyboard.press('Tab');
		expect(await focused(page).getAttribute('name')).toBe('reply');
		await page.keyboard.type('Tomorrow at ten');
		await page.keyboard.press('Tab');
		await page.keyboard.press('Space');
		await heading(page, 'Thank you').waitFor();
		await page.getByText('Tomorrow at ten').waitFor();
		expect(await waiting.outcome()).toMatchObject([
			{ outcome: 'replied', data: { text: 'Tomorrow at ten' } },
		]);
	});
});

test("a tap on the link in the sandbox's phone leads to the page", async () => {
	const waiting = await ask('approval');
	const { browser, page } = await openBrowser();
	await page.goto(`${service.sandbox.urls.origin}/?number=${numbers.mts}`);
	const opened = browser.waitForEvent('page');
	await page.getByRole('link', { name: waiting.shortLink, exact: true }).click();
	const shown = await opened;
	await shown.getByRole('button', { name: 'Approve' }).click();
	await heading(shown, 'Thank you').waitFor();
	expect(await waiting.outcome()).toMatchObject([{ outcome: 'approved' }]);
});

describe('axe finds nothing, light and dark, narrow and wide', () => {
	let page: Page;
	beforeAll(async () => {
		// axe is a script of somebody else: only here it may run.
		({ page } = await openBrowser({ bypassCSP: true }));
	});

	const check = async (name: string) => {
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme });
			for (const width of [small.width, 1280]) {
				await page.setViewportSize({ width, height: small.height });
				expect([name, colorScheme, width, await axeFindings(page)]).toEqual([
					name,
					colorScheme,
					width,
					[],
				]);
				expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
				await keepScreenshot(page, `reply-${name}-${colorScheme}-${width}`);
			}
		}
	};

	test('approval, and thanks', async () => {
		const approveLabel = `Approve ${'very'.repeat(20)}`;
		const { link } = await ask('approval', {
			message: `The agent wants to send an SMS to 3,000 people.\n\nText: {link} Anna, the first peonies are here.\n\nPrice: at most 9,600 RUB`,
			approvalOptions: { values: { approveLabel } },
		});
		await page.goto(link);
		await check('approval');
		await page.getByRole('button', { name: approveLabel }).click();
		await heading(page, 'Thank you').waitFor();
		await check('thanks');
	});

	test('a text', async () => {
		const { link } = await ask('freeText', { message: 'When should we deliver your flowers?' });
		await page.goto(link);
		await page.getByLabel('Your reply is needed').focus();
		await check('text');
	});

	test('over', async () => {
		const workflow = loopWorkflow('pageLoop', service, { responseType: 'approval' });
		const first = await untilItWaits(n8n, service, workflow);
		await reply(first.link, 'approve');
		await n8n.session.executionEnd(first.executionId, {
			until: (status) => status === 'waiting' && service.store.byExternalId.has('pageLoop-2'),
		});
		await page.goto(first.link);
		await heading(page, 'Someone has already replied').waitFor();
		await check('over');
	});
});
