import type { BrowserContext, Page } from 'playwright-core';
import { readSamples } from '../../host/demo/samples.cts';
import { demo } from '../../sandbox/demo.cts';
import { keepPicture } from '../support/pictures.cts';
import { Sample } from './samples/sample.cts';
import { axeFindings, sidewaysScroll } from './support/axe.cts';
import { keepScreenshot, openBrowser } from './support/browser.cts';
import { sharedN8n, type TestN8n } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';

/** The sandbox's page in a browser, beside an n8n that works with it. */

const { numbers, senderNames, companies } = demo;

let n8n: TestN8n;
let sandbox: OpenSandbox;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
	[n8n, sandbox] = await Promise.all([sharedN8n(), startOpenSandbox({ speed: 60 })]);
	await n8n.importCredentials(Object.values(sandbox.credentials));
	({ browser, page } = await openBrowser());
});

const visit = async (path: string) => await page.goto(`${sandbox.sandbox.urls.origin}${path}`);
const bubbles = () => page.locator('.bubble');
const rule = (position: number) => page.locator(`#rule-${position}`);
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
		keepPicture('phones', await page.screenshot({ type: 'jpeg', quality: 60 }));
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
	await rule(1).getByLabel('URL').fill(`${n8n.url}/webhook/${trigger?.webhookId}/confirmed`);
	await rule(1).getByLabel('Login').fill(String(login));
	await rule(1).getByLabel('Password').fill(String(password));
	await press('Add');
	await page.getByText('The rule is saved.').waitFor();
	await sendSms(numbers.mts, 'Are you there?');
	await visit(`/?number=${numbers.mts}`);
	await press('STOP');
	await page.getByText('The reply was sent.').waitFor();
	await page.locator('.bubble.inbound').getByText('STOP').waitFor();
	const blocked = () => sandbox.store.blacklists.get(companies.flowers)?.has(numbers.mts);
	await sample.until(async () => blocked() === true);
});

test('a callback with a wrong password says why it failed, and can be sent again', async () => {
	await visit('/callbacks');
	await rule(1).getByLabel('Password').fill('wrong');
	await press('Save');
	await page.getByText('The rule is saved.').waitFor();
	await visit(`/?number=${numbers.beeline}`);
	await press('START');
	await page.getByText('The reply was sent.').waitFor();
	await visit('/callbacks');
	await page.getByText('the receiver rejected the login').first().waitFor();
	await keepScreenshot(page, 'face-callbacks');
	await page
		.locator('tr')
		.filter({ hasText: 'rejected the login' })
		.first()
		.getByRole('button', { name: 'Stop Retrying' })
		.click();
	await page.getByText('stopped', { exact: true }).first().waitFor();
});

describe('held deliveries, with the keyboard only', () => {
	/** Moves the focus to a button or link by Tab, and presses it. */
	const pressByKey = async (name: string, within = '') => {
		const target = page.locator(`${within} :is(button, a)`).filter({ hasText: name }).first();
		await target.waitFor();
		for (let count = 0; count < 200; count++) {
			if (await target.evaluate((one) => one === document.activeElement)) break;
			await page.keyboard.press('Tab');
		}
		expect(await target.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid');
		await page.keyboard.press('Enter');
	};

	test('a dispatch message fails with the chosen code, the trigger reports the others, its timeline says why', async () => {
		await visit('/controls');
		await pressByKey('Hold Deliveries', '#fail');
		await page.getByText('Deliveries are held.').waitFor();
		const sample = await sampleOf('14');
		await n8n.publish(sample.workflow.id);
		const before = (await sample.triggered()).length;
		const running = sample.execute();
		await sample.until(async () => sandbox.store.held.size > 1);
		await visit('/held');
		const [uuid = ''] = sandbox.store.held;
		const row = page.locator(`#held-${uuid}`);
		await row.getByLabel('Error code').selectOption('505');
		await row.getByLabel('Error code').focus();
		await pressByKey('Fail', `#held-${uuid}`);
		await sample.until(async () => sandbox.store.byUuid.get(uuid)?.errorCode === 505);
		await keepScreenshot(page, 'face-held');
		await page.reload();
		await pressByKey('Deliver All');
		await sample.until(async () => sandbox.store.held.size === 0);
		await running;
		await sample.until(async () => (await sample.triggered()).length > before);
		await pressByKey('Stop Holding');
		await page.getByText('Messages are delivered as usual.').waitFor();
		await visit(`/messages?uuid=${uuid}`);
		await page.getByText('Error 505').waitFor();
	});
});

test('from a message over its timeline to the request and the callback, and back', async () => {
	const { uuid = '' } =
		sandbox.store.singles.findLast(({ single }) => single?.callbackUrl !== undefined) ?? {};
	const message = sandbox.store.byUuid.get(uuid);
	await visit(`/?number=${message?.destination}`);
	await page.locator(`#message-${uuid}`).getByRole('link', { name: 'Timeline' }).click();
	const story = page.locator('.story');
	await story.getByRole('link', { name: /^POST .*message/ }).click();
	for (const side of ['Request body', 'Response body']) {
		await page.getByRole('region', { name: side }).waitFor();
	}
	await page.locator(`a[href="/messages?uuid=${uuid}"]`).click();
	await story.locator('a[href^="/callbacks?id="]').first().click();
	await page.getByRole('region', { name: 'Request body' }).getByText(uuid).first().waitFor();
	await page.locator(`a[href="/messages?uuid=${uuid}"]`).click();
	await story.waitFor();
	await keepScreenshot(page, 'face-timeline');
});

test('at phone width: a tap opens the conversation, a way leads back, and the list stays where it was', async () => {
	const { page: phone } = await openBrowser();
	await phone.setViewportSize({ width: 390, height: 420 });
	await phone.goto(sandbox.sandbox.urls.origin);
	const list = phone.locator('.list');
	const menu = await phone.locator('.top').boundingBox();
	expect(menu?.height).toBeLessThanOrEqual(48);
	expect(await phone.locator('.talk').isVisible()).toBe(false);
	await phone.locator('.talks a').last().scrollIntoViewIfNeeded();
	const top = await list.evaluate(({ scrollTop }) => scrollTop);
	expect(top).toBeGreaterThan(0);
	await phone.locator('.talks a').last().click();
	await phone.locator('.bubble').last().waitFor();
	expect(await list.isVisible()).toBe(false);
	await phone.getByRole('link', { name: 'All Phones' }).click();
	await list.waitFor();
	expect(await list.evaluate(({ scrollTop }) => scrollTop)).toBe(top);
	await phone.goBack();
	await phone.locator('.bubble').last().waitFor();
	await phone.context().close();
});

test('on a wide screen, choosing a phone leaves the list where it was', async () => {
	await page.setViewportSize({ width: 1280, height: 420 });
	await visit('/');
	await page.locator('.talks a').last().scrollIntoViewIfNeeded();
	const top = await page.locator('.list').evaluate(({ scrollTop }) => scrollTop);
	expect(top).toBeGreaterThan(0);
	await page.locator('#reply-text').fill('For the first one');
	await page.locator('.talks a').last().click();
	await page.locator('.talks a[aria-current="true"]').last().waitFor();
	expect(await page.locator('.list').evaluate(({ scrollTop }) => scrollTop)).toBe(top);
	// A half-typed reply never goes to somebody else.
	expect(await page.locator('#reply-text').inputValue()).toBe('');
	await page.setViewportSize({ width: 1440, height: 900 });
});

test('25 hours later, who was not reached is undelivered', async () => {
	await sendSms(numbers.undelivered, 'Nobody gets this');
	await visit('/controls');
	await press('+25 Hours');
	await page.getByText('Done.').waitFor();
	await visit(`/?number=${numbers.undelivered}`);
	await bubbles().last().getByText('✕ undelivered').waitFor();
});

describe('while the page changes by itself', () => {
	/** Something else happens, and the page shows it. */
	const update = async (text: string, number: string = numbers.tele2) => {
		await sendSms(number, text);
		await page.waitForResponse((response) => response.request().headers()['x-part'] === 'main');
	};

	test('what arrives appears, and what a person types stays where it was typed', async () => {
		await visit(`/?number=${numbers.tele2}`);
		await page.locator('#reply-text').fill('Half a sen');
		await sendSms(numbers.tele2, 'A new one <b>arrives</b>');
		await page.getByText('A new one <b>arrives</b>').last().waitFor();
		expect(await page.locator('#reply-text').inputValue()).toBe('Half a sen');
	});

	test('the page of the newest phone stays with the one a person replies to', async () => {
		await sendSms(numbers.tele2, 'You are the newest');
		await visit('/');
		await page.getByText('You are the newest').last().waitFor();
		await page.locator('#reply-text').fill('For Tele2');
		await update('Now I am the newest', numbers.megafon);
		await page.locator('.talks').getByText('Now I am the newest').waitFor();
		await press('Send');
		await page.locator('.bubble.inbound').getByText('For Tele2').waitFor();
		const { single, destination } = sandbox.store.singles.at(-1) ?? {};
		expect(single?.direction).toBe('inbound');
		expect(destination).toBe(numbers.tele2);
	});

	test('STOP leaves a half-typed reply alone, and a double click sends once', async () => {
		await visit(`/?number=${numbers.tele2}`);
		await page.locator('#reply-text').fill('Half a sen');
		const before = sandbox.store.singles.length;
		await page.getByRole('button', { name: 'STOP', exact: true }).dblclick();
		await page.getByText('The reply was sent.').waitFor();
		expect(await page.locator('#reply-text').inputValue()).toBe('Half a sen');
		expect(sandbox.store.singles.length - before).toBe(1);
	});

	test('every field keeps what was typed, and an open part stays open', async () => {
		await visit('/callbacks');
		const form = page.locator('form[id^="rule-"]').last();
		await form.getByLabel('URL').fill('http://127.0.0.1:1/typed');
		await form.getByLabel('Login').fill('typed-login');
		await form.getByLabel('Password').focus();
		await update('Something happens');
		expect(await form.getByLabel('URL').inputValue()).toBe('http://127.0.0.1:1/typed');
		expect(await form.getByLabel('Login').inputValue()).toBe('typed-login');
		await visit(`/?number=${numbers.tele2}`);
		await page.getByText('Change', { exact: true }).first().click();
		await update('Something happens again');
		await page.getByText('Something happens again').last().waitFor();
		expect(await page.locator('details[open]').count()).toBe(1);
	});

	test('a button always says what it does', async () => {
		await visit('/account');
		const row = page.locator(`#sender-${demo.senders.mts}`);
		const suspended = () => sandbox.store.senders.get(demo.senders.mts)?.suspended;
		for (const [label, next, state] of [
			['Suspend', 'Unsuspend', true],
			['Unsuspend', 'Suspend', false],
		] as const) {
			await row.getByRole('button', { name: label, exact: true }).click();
			await row.getByRole('button', { name: next, exact: true }).waitFor();
			expect(await row.getByRole('button', { name: label, exact: true }).count()).toBe(0);
			expect(suspended()).toBe(state);
		}
		await row.getByLabel('Comment').fill('Wrong document');
		await row.getByRole('button', { name: 'Reject' }).click();
		await row.getByRole('button', { name: 'Approve' }).click();
		await row.getByText('APPROVED').waitFor();
		expect(await row.getByRole('button', { name: 'Approve' }).count()).toBe(0);
	});

	test('eight tabs at once all work', async () => {
		const tabs = [];
		for (let count = 0; count < 8; count++) {
			const tab = await browser.newPage();
			await tab.goto(`${sandbox.sandbox.urls.origin}/controls`);
			await tab.bringToFront();
			tabs.push(tab);
		}
		await tabs[7]?.getByRole('button', { name: 'Remove All Faults' }).click();
		await tabs[7]?.getByText('Done.').waitFor();
		for (const tab of tabs) await tab.close();
	});

	test('the clock moves, and a reset asks first', async () => {
		await visit('/controls');
		const clock = page.locator('[data-now]');
		const shown = await clock.textContent();
		await page.waitForFunction(
			(before) => document.querySelector('[data-now]')?.textContent !== before,
			shown,
		);
		page.once('dialog', (dialog) => void dialog.dismiss());
		const { length } = sandbox.store.singles;
		await press('Reset to Demo Data');
		await press('Remove All Faults');
		await page.getByText('Done.').waitFor();
		expect(sandbox.store.singles.length).toBe(length);
	});
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

test('data for the checks below: a long text, an open body, a planned fault', async () => {
	await sendSms(numbers.tele2, 'long '.repeat(2_000));
	sandbox.sandbox.faults.add({ kind: 'reset', match: { path: '/nowhere' } });
	await sandbox.control('PUT', '/hold', { on: true });
	await sendSms(numbers.tele2, 'This one waits');
	await visit(`/?number=${numbers.tele2}`);
	await page.getByText('Show all 10,000 characters').waitFor();
});

const paths = [
	'/',
	`/?number=${numbers.tele2}`,
	`/?number=${numbers.mts}`,
	'/held',
	'/dispatches',
	`/dispatches?id=${demo.dispatches.spring}`,
	'/callbacks',
	'/account',
	'/requests',
	'/requests?id=1',
	'/callbacks?id=1',
	'/messages',
	'/controls',
];

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
	let checked: Page;
	beforeAll(async () => {
		// axe is a script of somebody else: only here it may run.
		({ page: checked } = await openBrowser({ bypassCSP: true }));
		await checked.emulateMedia({ colorScheme });
	});

	test.each(paths)('%s: axe finds nothing on a phone and on a screen', async (path) => {
		const shown = path === '/messages' ? `?uuid=${sandbox.store.singles[0]?.uuid}` : '';
		for (const width of [390, 1280]) {
			await checked.setViewportSize({ width, height: 900 });
			await checked.goto(`${sandbox.sandbox.urls.origin}${path}${shown}`);
			await checked.evaluate(() => {
				for (const part of document.querySelectorAll('details')) part.open = true;
			});
			expect(await axeFindings(checked)).toEqual([]);
			expect(await sidewaysScroll(checked)).toBeLessThanOrEqual(0);
			await keepScreenshot(checked, `face-${colorScheme}-${width}${path.replace(/\W+/g, '-')}`);
		}
	});
});
