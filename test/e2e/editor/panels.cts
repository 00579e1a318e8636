import type { Page } from 'playwright-core';
import { BulkMessaging } from '../../../nodes/BulkMessaging/BulkMessaging.node';
import { testFrom } from '../support/n8n.cts';
import { theEditor, type TheEditor } from '../support/theEditor.cts';
import { credentialOf, messagingNode, partnerNode } from '../support/workflows.cts';

/** What somebody sees who opens the node and has typed nothing yet. */
export const panels = () => {
	const panels = [
		['partner', 'company', 'create'],
		['partner', 'sender', 'create'],
		['partner', 'sender', 'getAll'],
		['partner', 'sender', 'suspend'],
		['partner', 'dispatch', 'create'],
		['partner', 'blacklist', 'add'],
		['partner', 'price', 'estimateCost'],
		['partner', 'message', 'getAll'],
		['messaging', 'message', 'send'],
		['messaging', 'message', 'sendAndWait'],
		['messaging', 'message', 'sendCascade'],
		['messaging', 'message', 'get'],
		['messaging', 'message', 'getAll'],
		['messaging', 'message', 'stop'],
		['messaging', 'account', 'getBalance'],
		['messaging', 'account', 'ping'],
		['messaging', 'verification', 'sendCode'],
		['messaging', 'verification', 'checkCode'],
		['messaging', 'verification', 'send'],
		['messaging', 'verification', 'check'],
		['messaging', 'verification', 'reportFlashCall'],
		['messaging', 'dispatch', 'getAll'],
		['messaging', 'dispatch', 'addMessages'],
		['messaging', 'template', 'update'],
		['messaging', 'senderName', 'create'],
	] as const;
	const nodeTypes = { partner: partnerNode, messaging: messagingNode };
	const nameOf = ([api, ...parts]: (typeof panels)[number]) =>
		[...(api === 'partner' ? [] : [api]), ...parts].join('-');
	const names = panels.map(nameOf);

	let sandbox: TheEditor['sandbox'];
	let editor: TheEditor['editor'];
	let page: Page;

	beforeAll(async () => {
		const started = await theEditor();
		const { n8n } = started;
		({ sandbox, editor } = started);
		await n8n.importWorkflow({
			id: 'panels',
			name: 'Panels',
			nodes: [
				{
					id: 'start',
					name: 'Start',
					type: 'n8n-nodes-base.manualTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: {},
				},
				...panels.map(([api, resource, operation], index) => ({
					// n8n opens the first node whose id begins like the one in its URL.
					id: `${String(index).padStart(2, '0')}-panel`,
					name: names[index],
					type: nodeTypes[api],
					typeVersion: 1,
					// In rows, so that all of them are on the screen.
					position: [((index % 9) + 1) * 220, Math.floor(index / 9) * 220] as [number, number],
					parameters: { resource, operation },
					credentials: credentialOf(sandbox.credentials[api]),
				})),
				{
					id: 'review',
					name: 'Review',
					// n8n makes it from the node.
					type: `${messagingNode}HitlTool`,
					typeVersion: 1,
					position: [0, 440],
					parameters: {},
					credentials: credentialOf(sandbox.credentials.messaging),
				},
			],
			connections: Object.fromEntries(
				['Start', ...names.slice(0, -1)].map((name, index) => [
					name,
					{ main: [[{ node: names[index], type: 'main', index: 0 }]] },
				]),
			),
		});
		({ page } = editor);
		await page.goto(`${n8n.url}/workflow/panels`, { waitUntil: 'commit' });
		await page.getByTestId('canvas-node').first().waitFor();
	});

	/** The panels that say what the provider doesn't document. */
	const withNotice: string[] = [];

	test.each(names)('%s opens', async (name) => {
		const panel = await editor.open(name);
		await panel.getByTestId('parameter-input-operation').waitFor();
		if (await panel.getByText(/The provider doesn't document/).isVisible()) withNotice.push(name);
		await editor.screenshot(`panel-${name}`);
	});

	testFrom('2.8', 'it has no tools for human review.')(
		'human review: everything that is needed can be entered, and nothing else is asked',
		async () => {
			const panel = await editor.open('Review');
			await panel.getByTestId('parameter-input-message').waitFor();
			await editor.screenshot('panel-review');
			const shown = await panel
				.locator('[data-test-id^="parameter-input-"]')
				.evaluateAll((all) =>
					all.map((one) => one.getAttribute('data-test-id')?.split('-')[2] ?? ''),
				);
			// Parts of n8n's inputs, and the node's settings.
			const others = ['hint', 'field', 'notes', 'notesInFlow'];
			expect(shown.filter((name) => !others.includes(name))).toEqual([
				'message',
				'channelType',
				'senderName',
				'destination',
				'contentFormat',
				'externalMessageId',
				'limitHours',
			]);
			await panel.getByText('Approval Options').waitFor();
			await panel.getByText('The link is added at the end of the message').waitFor();
		},
	);

	test('the fields a node gives out are there before its first run', async () => {
		const panel = await editor.open('sender-getAll');
		const input = panel.getByTestId('ndv-input-panel');
		await input.getByText('senderName', { exact: true }).first().waitFor();
		expect(await input.textContent()).toContain('Usually outputs the following fields');
		await editor.screenshot('panel-fields-before-the-first-run');
	});

	test('one sender name: its list asks for the company, then shows what belongs to it', async () => {
		const panel = await editor.open('sender-suspend');
		const list = panel.getByTestId('resource-locator-id').getByTestId('rlc-input');
		await list.click();
		await page.getByText('Choose a company first').first().waitFor();
		await editor.screenshot('panel-no-company');
		await page.keyboard.press('Escape');

		expect(await editor.choose('companyId', 'Camomile')).toEqual(
			[...sandbox.store.companies.values()].map(({ name, status }) =>
				status === 'DISABLED' ? `${name} (disabled)` : name,
			),
		);
		await list.click();
		const entry = page.getByTestId('rlc-item').filter({ hasText: 'FLOWERS · SMS · MTS' });
		await entry.waitFor();
		await editor.screenshot('panel-sender-list');
		await entry.click();
		expect(await list.inputValue()).toContain('FLOWERS · SMS · MTS');
	});

	test('several sender names: their list loads when a company is chosen', async () => {
		const panel = await editor.open('dispatch-create');
		const senders = panel.getByTestId('parameter-input-senderIds');
		await editor.choose('companyId', 'Camomile');
		// Every approved one is used unless somebody wants to choose.
		await panel.getByPlaceholder('Add Option').click();
		await page.getByText('Sender Names or IDs', { exact: true }).last().click();
		const entry = page.getByText('FLOWERS · SMS · Beeline · Approved').first();
		await entry.waitFor({ state: 'attached' });
		await senders.locator('.el-select__input').click();
		await entry.waitFor();
		await editor.screenshot('panel-senders-of-a-dispatch');
	});

	test('what the provider does not state says so in its panel, and nothing else does', () => {
		const noticed = new BulkMessaging().description.properties.flatMap(
			({ name, displayOptions }) =>
				name === 'sourceNotice'
					? [`messaging-${displayOptions?.show?.resource}-${displayOptions?.show?.operation}`]
					: [],
		);
		expect(withNotice.length).toBeGreaterThan(5);
		expect(withNotice).toEqual(names.filter((name) => noticed.includes(name)));
	});

	test('the two ways to verify a number have names of their own', async () => {
		const panel = await editor.open('messaging-verification-sendCode');
		const shown = panel.getByTestId('parameter-input-operation');
		expect(await shown.locator('input').inputValue()).toBe('Send Code');
		await shown.click();
		const offered = page.getByRole('option').filter({ hasText: /Code|Widget/ });
		await offered.first().waitFor();
		const entries = (await offered.allInnerTexts()).map((text) => text.split('\n')[0]);
		expect(entries).toEqual(['Check by Widget', 'Check Code', 'Send by Widget', 'Send Code']);
		await editor.screenshot('panel-verification-operations');
		await page.keyboard.press('Escape');
	});

	describe('sending a message', () => {
		const label = (text: string) =>
			page.getByTestId('ndv').getByText(text, { exact: true }).first();

		test('options are offered in plain words, and open', async () => {
			const panel = await editor.open('messaging-message-send');
			await panel.getByPlaceholder('Add Option').click();
			await page.getByText('Send At').first().waitFor();
			await editor.screenshot('panel-message-send-options');
			await page.getByText('Send At').first().click();
			await label('Send At').waitFor();
			await editor.screenshot('panel-message-send-time');
		});

		test('a step of a cascade shows what it needs', async () => {
			const panel = await editor.open('messaging-message-sendCascade');
			await panel.getByText('Add Step').click();
			await label('Continue When').waitFor();
			await editor.screenshot('panel-message-cascade-step');
		});

		test('a second credential appears with the Callback URL, not before', async () => {
			const panel = await editor.open('messaging-message-sendCascade');
			const forCallbacks = panel.getByText('Credential for Bulk Messaging Callback API');
			await label('Options').waitFor();
			expect(await forCallbacks.isVisible()).toBe(false);
			await panel.getByPlaceholder('Add Option').click();
			await page.getByText('Callback URL', { exact: true }).last().click();
			await panel
				.getByTestId('parameter-input-callbackUrl')
				.locator('input')
				.fill('https://n8n.example.com/webhook/results/fast');
			await forCallbacks.waitFor();
			await editor.screenshot('panel-callback-credential');
		});

		test('the content can be JSON', async () => {
			const panel = await editor.open('messaging-message-sendAndWait');
			await panel.getByTestId('parameter-input-contentFormat').click();
			await page.getByRole('option').filter({ hasText: 'JSON' }).click();
			await label('Content (JSON)').waitFor();
			await editor.screenshot('panel-message-content-json');
		});

		test('the content can be fields, without JSON', async () => {
			const panel = await editor.open('messaging-message-send');
			await panel.getByTestId('parameter-input-contentFormat').click();
			await page.getByRole('option').filter({ hasText: 'Fields' }).first().click();
			await label('Content Fields').waitFor();
			await panel.getByText('Add Field', { exact: true }).click();
			for (const name of ['Name', 'Type', 'Value']) await label(name).waitFor();
			await editor.screenshot('panel-message-content-fields');
		});

		test('a Flash Call asks for a code instead of a text', async () => {
			const panel = await editor.open('messaging-message-sendAndWait');
			// Another test may have chosen JSON here.
			await panel.getByTestId('parameter-input-contentFormat').click();
			await page.getByRole('option', { name: 'Text', exact: true }).click();
			const text = panel.getByPlaceholder('e.g. Hello {name}, your order has arrived');
			await text.waitFor();
			await panel.getByTestId('parameter-input-channelType').click();
			await page.getByRole('option').filter({ hasText: 'Flash Call' }).first().click();
			await panel.getByPlaceholder('e.g. 4821').waitFor();
			await label('Code').waitFor();
			expect(await text.count()).toBe(0);
			await editor.screenshot('panel-message-flash-call');
		});

		test('filters are offered', async () => {
			const panel = await editor.open('messaging-message-getAll');
			await panel.getByPlaceholder('Add Filter').click();
			await page.getByText('Sent After').first().waitFor();
			await editor.screenshot('panel-message-filters');
		});
	});
};
