import { theEditor, type TheEditor } from '../support/theEditor.cts';
import { nothing, triggered } from '../trigger/workflows.cts';

/** What the editor shows of the trigger. */
export const trigger = () => {
	let n8n: TheEditor['n8n'];
	let editor: TheEditor['editor'];

	beforeAll(async () => {
		({ n8n, editor } = await theEditor());
	});

	test('the fields of an event are known before the first run', async () => {
		const response = await fetch(
			`${n8n.url}/schemas/n8n-nodes-bulk-messaging.bulkMessagingTrigger/2.0.0.json`,
		);
		expect(response.status).toBe(200);
		const { properties } = (await response.json()) as { properties: Record<string, unknown> };
		expect(Object.keys(properties)).toEqual(
			expect.arrayContaining(['event', 'outcome', 'messageUuid']),
		);
	});

	test('both addresses are shown, with what to do with them, and an output per event', async () => {
		await n8n.importWorkflow(triggered('shown', nothing, { options: { branchPerEvent: true } }));
		const { page } = editor;
		await page.goto(`${n8n.url}/workflow/shown`);
		const node = page.locator('[data-test-id="canvas-node"][data-node-name="Trigger"]');
		await node.waitFor();
		for (const output of ['Delivery Result', 'Sent', 'Unrecognized']) {
			await page.getByText(output, { exact: true }).first().waitFor();
		}
		await editor.screenshot('trigger-outputs');

		await node.dblclick();
		const panel = page.getByTestId('ndv');
		await panel.getByText('Webhook URLs', { exact: true }).click();
		await panel.getByText('/webhook-test/shown/fast').waitFor();
		await panel.getByText('Production URL', { exact: true }).click();
		for (const address of ['fast', 'confirmed']) {
			await panel.getByText(`/webhook/shown/${address}`).waitFor();
		}
		await panel.getByText('Use /confirmed only for short workflows').waitFor();
		await editor.screenshot('trigger-panel');
		await panel.getByTestId('parameter-input-output').scrollIntoViewIfNeeded();
		await editor.screenshot('trigger-options');
	});
};
