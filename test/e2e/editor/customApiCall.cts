import { theEditor } from '../support/theEditor.cts';
import { credentialOf, manualWorkflow, messagingNode, partnerNode } from '../support/workflows.cts';

/** Endpoints without an operation are called with n8n's HTTP Request node and our credentials: otherEndpoints.test.cts does it. */
export const customApiCall = () => {
	test('both nodes offer Custom API Call, and the HTTP Request node both credentials', async () => {
		const { n8n, sandbox, editor } = await theEditor();
		const { partner, messaging } = sandbox.credentials;
		const first = manualWorkflow('offers', {
			name: 'Partner',
			type: partnerNode,
			parameters: {},
			credentials: credentialOf(partner),
		});
		await n8n.importWorkflow({
			...first,
			nodes: [
				...first.nodes,
				{
					id: 'second',
					name: 'Messaging',
					type: messagingNode,
					typeVersion: 1,
					position: [480, 0],
					parameters: {},
					credentials: credentialOf(messaging),
				},
			],
		});
		const { page } = editor;
		await page.goto(`${n8n.url}/workflow/offers`, { waitUntil: 'commit' });
		await page.getByTestId('canvas-node').first().waitFor();
		for (const name of ['Partner', 'Messaging']) {
			const panel = await editor.open(name);
			for (const list of ['operation', 'resource']) {
				await panel.getByTestId(`parameter-input-${list}`).click();
				const entry = page.getByRole('option').filter({ hasText: 'Custom API Call' });
				await entry.filter({ visible: true }).waitFor();
				await editor.screenshot(`custom-api-call-${name}-${list}`);
				await page.keyboard.press('Escape');
				await entry.filter({ visible: true }).waitFor({ state: 'hidden' });
			}
		}
		// The list of credential types shows those that have this field.
		const types = await page.evaluate(
			async () =>
				(await (await fetch('/types/credentials.json')).json()) as Array<Record<string, unknown>>,
		);
		for (const { type } of [partner, messaging]) {
			expect(types.find(({ name }) => name === type)).toHaveProperty('authenticate');
		}
	});
};
