import type { BrowserContext, Page } from 'playwright-core';
import { readSamples } from '../../host/n8n/samples.cts';
import { demo } from '../../sandbox/demo.cts';
import { keepPicture } from '../support/pictures.cts';
import { Sample } from './samples/sample.cts';
import { keepScreenshot, openBrowser } from './support/browser.cts';
import { startN8n, type TestN8n } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';

/** The sandbox's page in a browser, beside an n8n that works with it. */

const { numbers, senderNames, companies } = demo;
const axePath = require.resolve('axe-core');

let n8n: TestN8n;
let sandbox: OpenSandbox;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
	[n8n, sandbox] = await Promise.all([startN8n(), startOpenSandbox({ speed: 60 })]);
	await n8n.importCredentials(Object.values(sandbox.credentials));
	({ browser, page } = await openBrowser());
});

const visit = async (path: string) => await page.goto(`${sandbox.sandbox.urls.origin}${path}`);
const bubbles = () => page.locator('.bubble');
const press = async (name: string) => await page.getByRole('button', { name, exact: true }).click();

const sampleOf = async (begin: string) => {
	const found = readSamples().find(({ file }) => file.startsWith(begin));
	if (found === undefined) throw new Error(`no sample ${begin}`);
	await n8n.importWorkflow(found.workflow);
	return new Sample(found.workflow, n8n, sandbox);
};

const sendSms = async (destination: string, content: string, more: object = {}) =>
	await fetch(`${sandbox.sandbox.urls.messagingUrl}/message`, {
		method: 'POST',
		headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify([
			{ channelType: 'SMS', senderName: senderNames.sms, destination, content, ...more },
		]),
	});

test('sample 01: four people get their message while somebody watches', async () => {
	const sample = await sampleOf('01');
	await visit('/dispatches');
	const running = sample.execute();
	await page.getByText('4 delivered, 0 failed, 0 on the way, of 4').waitFor();
	await running;
	await visit('/');
	for (const index of [0, 1, 2, 3]) {
		await page.locator('.talks a').nth(index).click();
		await bubbles().last().getByText('delivered').waitFor();
	}
	await keepScreenshot(page, 'face-phones');
	if (process.env.E2E_README_PICTURES) {
		keepPicture('phones', await page.screenshot({ type: 'jpeg', quality: 70 }));
	}
});

test('a link that is pressed is a click in n8n', async () => {
	const sample = await sampleOf('10');
	await n8n.publish(sample.workflow.id);
	await visit('/');
	await sample.execute();
	const link = page.locator('.bubble a[href^="/s/"]').last();
	await link.waitFor();
	const opened = browser.waitForEvent('page');
	await link.click();
	await (await opened).close();
	await sample.until(async () => (await sample.triggered()).length > 0);
});

test('STOP is one click, and the blacklist sample runs', async () => {
	const sample = await sampleOf('08');
	await n8n.publish(sample.workflow.id);
	const trigger = sample.workflow.nodes.find(({ type }) => type.endsWith('.bulkMessagingTrigger'));
	const { login, password } = sandbox.credentials.callback.data;
	await visit('/callbacks');
	await page.getByLabel('URL').fill(`${n8n.url}/webhook/${trigger?.webhookId}/confirmed`);
	await page.getByLabel('Login').fill(String(login));
	await page.getByLabel('Password').fill(String(password));
	await press('Save');
	await page.getByText('The rule is saved.').waitFor();
	await sendSms(numbers.mts, 'Are you there?');
	await visit(`/?number=${numbers.mts}`);
	await press('STOP');
	await page.getByText('The answer was sent.').waitFor();
	await page.locator('.bubble.inbound').getByText('STOP').waitFor();
	const blocked = () => sandbox.store.blacklists.get(companies.flowers)?.has(numbers.mts);
	await sample.until(async () => blocked() === true);
});

test('a callback with a wrong password says why it failed, and can be sent again', async () => {
	await visit('/callbacks');
	await page.getByLabel('Password').fill('wrong');
	await press('Save');
	await page.getByText('The rule is saved.').waitFor();
	await visit(`/?number=${numbers.beeline}`);
	await press('START');
	await page.getByText('The answer was sent.').waitFor();
	await visit('/callbacks');
	await page.getByText('the receiver rejected the login').first().waitFor();
	await keepScreenshot(page, 'face-callbacks');
	await page
		.locator('tr')
		.filter({ hasText: 'rejected the login' })
		.first()
		.getByRole('button', { name: 'Stop trying' })
		.click();
	await page.getByText('stopped', { exact: true }).first().waitFor();
});

test('25 hours later, who was not reached is undelivered', async () => {
	await sendSms(numbers.undelivered, 'Nobody gets this');
	await visit('/controls');
	await press('+25 hours');
	await page.getByText('Done.').waitFor();
	await visit(`/?number=${numbers.undelivered}`);
	await bubbles().last().getByText('✕ undelivered').waitFor();
});

test('what arrives appears by itself, and what somebody is typing stays', async () => {
	await visit(`/?number=${numbers.tele2}`);
	await page.locator('#answer-text').fill('Half a sen');
	await sendSms(numbers.tele2, 'A new one <b>arrives</b>');
	await page.getByText('A new one <b>arrives</b>').last().waitFor();
	expect(await page.locator('#answer-text').inputValue()).toBe('Half a sen');
});

test('scripts in texts do not run, and nothing is reported to the console', async () => {
	const said: string[] = [];
	page.on('console', (message) => said.push(message.text()));
	page.on('dialog', (dialog) => said.push(dialog.message()));
	await sendSms(numbers.tele2, '<script>alert(1)</script><img src=x onerror=alert(1)>');
	await visit(`/?number=${numbers.tele2}`);
	await page.getByText('<script>alert(1)</script>').last().waitFor();
	expect(said).toEqual([]);
});

const paths = [
	'/',
	`/dispatches?id=${demo.dispatches.spring}`,
	'/callbacks',
	'/account',
	'/requests',
	'/controls',
];

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
	test.each(paths)('%s: axe finds nothing serious, narrow and wide', async (path) => {
		// axe is a script of somebody else: only here it may run.
		const { page: checked } = await openBrowser({ bypassCSP: true });
		await checked.emulateMedia({ colorScheme });
		for (const width of [375, 1600]) {
			await checked.setViewportSize({ width, height: 900 });
			await checked.goto(`${sandbox.sandbox.urls.origin}${path}`);
			await checked.addScriptTag({ path: axePath });
			const found = await checked.evaluate(async () => {
				// In the page, axe is there.
				const { axe } = globalThis as unknown as {
					axe: {
						run(): Promise<{
							violations: Array<{ id: string; impact: string; nodes: Array<{ html: string }> }>;
						}>;
					};
				};
				const { violations } = await axe.run();
				return violations
					.filter(({ impact }) => impact === 'serious' || impact === 'critical')
					.map(
						({ id, nodes }) =>
							`${id}: ${nodes
								.map(({ html }) => html)
								.join(' ')
								.slice(0, 300)}`,
					);
			});
			expect(found).toEqual([]);
			const overflow = await checked.evaluate(
				() => document.documentElement.scrollWidth - innerWidth,
			);
			expect(overflow).toBeLessThanOrEqual(0);
			await keepScreenshot(checked, `face-${colorScheme}-${width}${path.replace(/\W+/g, '-')}`);
		}
		await checked.context().close();
	});
});
