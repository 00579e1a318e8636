import type { Locator, Page } from 'playwright-core';
import { demo } from '../../../sandbox/demo.cts';
import { theEditor, type TheEditor } from '../support/theEditor.cts';

/**
 * The way of somebody who has a list and wants to send: from a blank workflow to a row for each person, on a small screen.
 * Each test goes on where the one before has ended.
 */
export const fromAList = () => {
	const { numbers } = demo;
	const customers = [
		{ name: 'Anna', phone: '8 (916) 123-45-67' },
		{ name: 'Boris', phone: '+7 903 1234567' },
		{ name: 'Clara', phone: `+${numbers.unsent}` },
		{ name: 'Anna again', phone: '89161234567' },
		{ name: 'Dmitry', phone: 'ask his secretary' },
		{ name: 'Elena', phone: '' },
	];
	/** What somebody copies from elsewhere: a button, and the list behind it. */
	const copiedList = JSON.stringify({
		nodes: [
			{
				id: '4c1e1ad1-6b0f-4a53-8a57-2e8f6d3a9b10',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: '7d0a9a53-5a0f-4f7c-9a1c-0d6a7c8f6a11',
				name: 'Customers',
				type: 'n8n-nodes-base.code',
				typeVersion: 2,
				position: [220, 0],
				parameters: { jsCode: `return ${JSON.stringify(customers)}.map((json) => ({ json }));` },
			},
		],
		connections: { Start: { main: [[{ node: 'Customers', type: 'main', index: 0 }]] } },
	});

	let n8n: TheEditor['n8n'];
	let sandbox: TheEditor['sandbox'];
	let editor: TheEditor['editor'];
	let page: Page;
	let panel: Locator;
	let output: Locator;

	beforeAll(async () => {
		({ n8n, sandbox, editor } = await theEditor());
		({ page } = editor);
		await page.setViewportSize({ width: 1280, height: 720 });
		panel = page.getByTestId('ndv');
		output = panel.getByTestId('output-panel');
	});

	const entry = (name: string) =>
		page.getByTestId('item-iterator-item').filter({ has: page.getByText(name, { exact: true }) });
	const field = (name: string) => panel.getByTestId(`parameter-input-${name}`);
	const fill = async (name: string, text: string) =>
		await field(name).locator('input, textarea').fill(text);
	const select = async (name: string, option: string) => {
		await field(name).click();
		const named = page.getByText(option, { exact: true });
		await page.getByRole('option').filter({ has: named }).click();
	};
	const execute = async () => await panel.getByTestId('node-execute-button').click();
	const dispatches = () => [...sandbox.store.dispatches.values()];
	/** In both themes; what is kept is for people to look at. */
	const look = async (name: string) => {
		const setTheme = async (theme: string) =>
			await page.evaluate((value) => document.body.setAttribute('data-theme', value), theme);
		await editor.screenshot(`walk-${name}`);
		await setTheme('dark');
		await editor.screenshot(`walk-${name}-dark`);
		await setTheme('light');
	};

	test('a blank workflow, a list with six rows, Send dispatch behind it', async () => {
		await page.goto(`${n8n.url}/workflow/new`);
		await page.getByTestId('canvas-plus-button').waitFor();
		await page.evaluate((text) => {
			const clipboardData = new DataTransfer();
			clipboardData.setData('text/plain', text);
			document.body.dispatchEvent(
				new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
			);
		}, copiedList);
		await editor.node('Customers').getByTestId('canvas-handle-plus').click();
		await page.getByTestId('node-creator-search-bar').fill('Bulk Messaging');
		await entry('Bulk Messaging Partner').click();
		await entry('Send dispatch').click();
		await panel.waitFor();
		await field('text').waitFor();
		await look('1-first-screen');
		// Without scrolling: for whom, by which channel, to whom.
		for (const name of ['companyId', 'channelType', 'recipients', 'destination']) {
			const box = await field(name).boundingBox();
			expect({ name, isOnScreen: box !== null && box.y + box.height <= 720 }).toEqual({
				name,
				isOnScreen: true,
			});
		}
	});

	test('Dry Run: one sentence and the price, nothing sent', async () => {
		const before = dispatches().length;
		await editor.choose('companyId', 'Camomile');
		await fill('text', 'Dear {name}, come in');
		const input = panel.getByTestId('ndv-input-panel');
		await input.getByText('Execute previous nodes').click();
		await input.getByText('8 (916) 123-45-67').first().waitFor();
		// With "=" the field becomes an expression; the braces are closed by themselves.
		await fill('destination', '=');
		await field('destination').locator('.cm-content').pressSequentially('{{ $json.phone');
		// Below the field n8n shows what it yields; until then it has not taken it in.
		await panel.getByText('8 (916) 123-45-67').nth(1).waitFor();
		await select('mode', 'Dry Run');
		await execute();
		await output.getByText('3 of 5 people would get this').first().waitFor();
		await look('2-dry-run');
		expect(dispatches().length).toBe(before);
	});

	test('sent, and a row for each person says what became of them', async () => {
		const before = dispatches().length;
		await select('mode', 'Send');
		await field('waitUntilDelivered').locator('.el-switch').click();
		await select('output', 'Recipients');
		await execute();
		await output.getByText('delivered').first().waitFor({ timeout: 90_000 });
		await look('3-rows');
		expect(dispatches().length).toBe(before + 1);
		const sent = dispatches().at(-1);
		expect(sent?.messages.map(({ destination, text }) => [destination, text])).toEqual([
			['79161234567', 'Dear Anna, come in'],
			['79031234567', 'Dear Boris, come in'],
			[numbers.unsent, 'Dear Clara, come in'],
		]);
		// n8n remembers how somebody has looked at items before.
		await output.getByTestId('radio-button-table').click();
		// The phone number comes first, then the outcome.
		await output.locator('tbody tr').nth(5).waitFor();
		const rows = await output.locator('tbody tr').allInnerTexts();
		expect(rows).toHaveLength(6);
		expect(rows.map((row) => row.split('\t')[1]?.trim())).toEqual([
			'delivered',
			'delivered',
			'failed',
			'skipped',
			'skipped',
			'skipped',
		]);
		// Nothing is undefined, in no row.
		expect(rows.join(' ')).not.toContain('undefined');
	});

	test('pressed again: it ends well, and says in which dispatch everybody has it', async () => {
		const before = dispatches().length;
		const { id } = dispatches().at(-1) ?? {};
		await execute();
		await output.getByText(`Is in dispatch ${id}, which was sent before`).first().waitFor();
		await look('4-second-press');
		expect(dispatches().length).toBe(before);
	});
};
