import { openEditor } from './support/browser.cts';
import { startN8n, type TestN8n } from './support/n8n.cts';
import { startSandbox, type TestSandbox } from './support/sandbox.cts';

/** The way of a first-time user, in a real browser. */

let n8n: TestN8n;
let sandbox: TestSandbox;

beforeAll(async () => {
	[n8n, sandbox] = await Promise.all([startN8n(), startSandbox()]);
	await n8n.importCredentials(Object.values(sandbox.credentials));
});

test('the node is found in the panel, added, filled in and executed', async () => {
	const before = await sandbox.companies();
	const { page, screenshot } = await openEditor(n8n);

	await page.goto(`${n8n.url}/workflow/new`);
	await page.getByTestId('canvas-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('Bulk Messaging Partner');
	const found = page.getByTestId('item-iterator-item');
	const node = found.filter({ hasText: 'Bulk Messaging Partner' });
	await node.waitFor();
	await screenshot('1-found');
	await node.click();
	await found.filter({ hasText: 'Create company' }).click();

	const panel = page.getByTestId('ndv');
	const credential = panel.getByTestId('node-credentials-select').locator('input');
	expect(await credential.inputValue()).toBe(sandbox.credentials.partner.name);
	await panel.getByTestId('parameter-input-name').locator('input').fill('Corner Bakery');
	await panel.getByTestId('parameter-input-counteragentInn').locator('input').fill('7707083893');
	await screenshot('2-filled-in');
	await panel.getByTestId('node-execute-button').click();
	const output = panel.getByTestId('output-panel');
	await output.getByText('1 item').first().waitFor();
	await screenshot('3-executed');

	const after = await sandbox.companies();
	const added = after.filter(({ companyId }) => !before.some((one) => one.companyId === companyId));
	expect(added).toMatchObject([{ name: 'Corner Bakery', counteragentInn: '7707083893' }]);
	expect(await output.textContent()).toContain(String(added[0].companyId));
});
