import type { Locator, Page } from 'playwright-core';
import { theEditor, type TheEditor } from '../support/theEditor.cts';
import { authorization } from '../trigger/workflows.cts';

/** The way of somebody who builds a first workflow with the mouse. Each test goes on where the one before has ended. */
export const firstWorkflow = () => {
	/** What the picture of the trigger shows in place of this machine. */
	const publicUrl = 'https://n8n.example.com';

	const orderText = 'Your order is ready';

	let n8n: TheEditor['n8n'];
	let sandbox: TheEditor['sandbox'];
	let editor: TheEditor['editor'];
	let page: Page;
	let panel: Locator;
	let output: Locator;

	beforeAll(async () => {
		({ n8n, sandbox, editor } = await theEditor());
		({ page } = editor);
		panel = page.getByTestId('ndv');
		output = panel.getByTestId('output-panel');
	});

	const found = () => page.getByTestId('item-iterator-item');
	/** An entry of the nodes panel with exactly this name. */
	const entry = (name: string) => found().filter({ has: page.getByText(name, { exact: true }) });

	/** n8n shows a node and its trigger as one entry, which then offers what starts a workflow and what acts. */
	const search = async () => {
		await page.getByTestId('node-creator-search-bar').fill('Bulk Messaging');
		for (const name of ['Bulk Messaging', 'Bulk Messaging Partner']) await entry(name).waitFor();
	};

	const startWorkflow = async () => {
		await page.goto(`${n8n.url}/workflow/new`);
		await page.getByTestId('canvas-plus-button').click();
		await search();
	};

	const chosenCredential = async () =>
		await panel.getByTestId('node-credentials-select').locator('input').inputValue();

	/** The fields a node will give out, in the panel of the node behind it. */
	const expectFieldsBeforeTheFirstRun = async (...fields: string[]) => {
		const input = panel.getByTestId('ndv-input-panel');
		await input.getByText('Usually outputs the following fields').waitFor();
		for (const field of fields) await input.getByText(field, { exact: true }).first().waitFor();
	};

	/** What people type, and the node that does it. */
	const searches: Record<string, string[]> = {
		'Bulk Messaging': [
			'send sms',
			'bulk sms',
			'text message',
			'balance',
			'OTP',
			'verification code',
			'two-factor',
			'delivery report',
			'смс',
		],
		'Bulk Messaging Partner': [
			'send sms',
			'bulk sms',
			'newsletter',
			'mass messaging',
			'campaign',
			'broadcast',
			'unsubscribe',
			'opt-out',
			'stop list',
			'delivery report',
			'смс',
			'рассылка',
			'чёрный список',
			'черный список',
			'имя отправителя',
		],
	};

	test('the nodes are found by the words people use', async () => {
		await startWorkflow();
		const missing: string[] = [];
		for (const [name, words] of Object.entries(searches)) {
			for (const word of words) {
				await page.getByTestId('node-creator-search-bar').fill('');
				await entry(name).waitFor({ state: 'hidden' });
				await page.getByTestId('node-creator-search-bar').fill(word);
				await entry(name)
					.waitFor()
					.catch(() => missing.push(`${word}: ${name}`));
			}
		}
		expect(missing).toEqual([]);
		await page.getByTestId('node-creator-search-bar').fill('рассылка');
		await editor.screenshot('editor-0-search');
	});

	test('Bulk Messaging Partner: added by its action, a company picked from the list', async () => {
		await startWorkflow();
		await editor.screenshot('editor-1-found');
		await entry('Bulk Messaging Partner').click();
		await entry('Get company').click();
		await panel.waitFor();
		expect(await chosenCredential()).toBe(sandbox.credentials.partner.name);

		const offered = await editor.choose('companyId', 'Camomile');
		expect(offered).toHaveLength(sandbox.store.companies.size);
		await editor.screenshot('editor-2-company');
	});

	test('the window of its credential says that it works', async () => {
		await panel.getByTestId('credential-edit-button').click();
		const dialog = page.getByTestId('editCredential-modal');
		await dialog.getByText('Connection tested successfully').waitFor();
		await editor.screenshot('editor-3-credential');
		await editor.picture('credential');
		await dialog.locator('.el-dialog__headerbtn').click();
		await dialog.waitFor({ state: 'hidden' });
	});

	test('Bulk Messaging: added behind it, where the fields of the company are shown before the first run', async () => {
		await editor.close();
		await editor.node('Get company').getByTestId('canvas-handle-plus').click();
		await search();
		await entry('Bulk Messaging').click();
		await entry('Send message').click();
		await panel.waitFor();
		expect(await chosenCredential()).toBe(sandbox.credentials.messaging.name);
		await expectFieldsBeforeTheFirstRun('companyId', 'name', 'status');
		await editor.screenshot('editor-4-fields');
	});

	test('both are executed with one press of the button', async () => {
		const fill = async (parameter: string, text: string) =>
			await panel.getByTestId(`parameter-input-${parameter}`).locator('input, textarea').fill(text);
		await fill('senderName', 'FLOWERS');
		await fill('destination', '8 (916) 123-45-67');
		await fill('text', orderText);
		await panel.getByTestId('node-execute-button').click();
		await output.getByText('79161234567').first().waitFor();
		await editor.screenshot('editor-5-executed');
		const sent = [...sandbox.store.byUuid.values()].filter(({ text }) => text === orderText);
		expect(sent).toHaveLength(1);
		expect(await output.textContent()).toContain(sent[0].uuid);

		await editor.open('Get company');
		await output.getByText('Camomile Flowers LLC').first().waitFor();
	});

	/** There are no fields before the first run to look for: n8n's editor shows them of actions only. */
	test('Bulk Messaging Trigger: added by its event, it listens and shows what comes', async () => {
		await startWorkflow();
		await entry('Bulk Messaging').click();
		await entry('On delivery result').waitFor();
		await editor.screenshot('editor-6-events');
		await editor.picture('nodes-panel');
		await entry('On delivery result').click();
		await panel.waitFor();
		expect(await chosenCredential()).toBe(sandbox.credentials.callback.name);

		await panel.getByText('Webhook URLs', { exact: true }).click();
		const shown = await panel
			.getByText(/\/webhook-test\/.*\/fast$/)
			.first()
			.innerText();
		const address = shown.trim();
		expect(address).toContain(`${n8n.url}/webhook-test/`);
		// The editor says at once that it listens; n8n does when it has answered.
		const listens = page.waitForResponse((response) =>
			/\/workflows\/[^/]+\/run/.test(response.url()),
		);
		await panel.getByTestId('node-execute-button').click();
		await panel.getByText('Stop Listening').first().waitFor();
		expect((await listens).status()).toBe(200);
		const answer = await fetch(address, {
			method: 'POST',
			headers: { 'content-type': 'application/json', authorization },
			body: JSON.stringify([
				{
					message_uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
					external_message_id: 'order-1042',
					channel_type: 'SMS',
					callback_event: 'delivered',
					status: 'delivered',
					status_time: '2026-03-02T07:00:02Z',
				},
			]),
		});
		expect(answer.status).toBe(200);
		await output.getByTestId('radio-button-schema').click();
		await output.getByText('order-1042').first().waitFor();
		await editor.screenshot('editor-7-event');
		await page.evaluate(
			([own, shown]) => {
				const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
				while (texts.nextNode()) {
					const { currentNode: text } = texts;
					text.nodeValue = text.nodeValue?.replace(own, shown) ?? null;
				}
			},
			[n8n.url, publicUrl] as const,
		);
		await editor.picture('trigger');
	});
};
