import type { Page } from 'playwright-core';
import { withoutCode } from '../../../core/contract/dispatchName';
import { readSamples, startNode } from '../../../host/demo/samples.cts';
import type { Execution } from '../support/n8n.cts';
import { theEditor, type TheEditor } from '../support/theEditor.cts';

/** The samples with more than one way to start: imported from their file, then the button "Execute workflow" is pressed. */
export const plainButton = () => {
	let n8n: TheEditor['n8n'];
	let sandbox: TheEditor['sandbox'];
	let editor: TheEditor['editor'];
	let page: Page;

	beforeAll(async () => {
		({ n8n, sandbox, editor } = await theEditor());
		({ page } = editor);
	});

	const button = () => page.getByTestId('execute-workflow-button');

	const importSample = async (number: string) => {
		const sample = readSamples().find(({ file }) => file.startsWith(number));
		if (sample === undefined) throw new Error(`There is no sample ${number}.`);
		const file = {
			name: sample.file,
			mimeType: 'application/json',
			buffer: Buffer.from(JSON.stringify(sample.workflow)),
		};
		await page.goto(`${n8n.url}/workflow/new`);
		await page.getByTestId('workflow-import-input').setInputFiles(file);
		await button().waitFor();
		return sample.workflow;
	};

	/** Presses the button; gives the execution when it has ended or waits. */
	const press = async (): Promise<Execution> => {
		const answer = page.waitForResponse((one) => /\/workflows\/[^/]+\/run/.test(one.url()));
		await button().click();
		const { data } = (await (await answer).json()) as { data: { executionId?: string } };
		expect(data).toEqual({ executionId: expect.any(String) });
		const until = (status: string) => status === 'waiting';
		return await n8n.session.executionEnd(String(data.executionId), { until });
	};

	test('n8n knows every node of the samples, in this version', async () => {
		const response = await n8n.session.request('GET', '/types/nodes.json');
		const known = (await response.json()) as Array<{ name: string; version: number | number[] }>;
		const isKnown = (type: string, typeVersion: number) =>
			known.some(({ name, version }) => name === type && [version].flat().includes(typeVersion));
		const used = readSamples().flatMap(({ workflow: { nodes } }) => nodes);
		expect(used.filter(({ type, typeVersion }) => !isKnown(type, typeVersion))).toEqual([]);
	});

	test.each([
		['06', 'Send message', 'success'],
		['08', 'Add to blacklist', 'success'],
		['10', 'Get message text', 'success'],
		['14', 'Start dispatch', 'success'],
		['20', 'Ask on WhatsApp', 'waiting'],
		['22', 'Send dispatch', 'success'],
	])('%s runs from its first trigger to "%s"', async (number, last, status) => {
		const workflow = await importSample(number);
		// The rule that the demo and the other tests go by is the editor's.
		const start = startNode(workflow)?.name;
		expect(await button().innerText()).toMatch(new RegExp(`^Execute workflow\\s+from ${start}$`));
		const execution = await press();
		expect(execution.status).toBe(status);
		expect(execution.items(last).length).toBeGreaterThan(0);
		await editor.screenshot(`button-${number}`);
	});

	test('13 asks in the chat, and sends when the answer is yes', async () => {
		await importSample('13');
		// n8n doesn't let a bot decide, and takes a browser without a screen for one.
		await page.route('**/webhook-waiting/**', async (route) => {
			const headers = { ...route.request().headers(), 'user-agent': 'Mozilla/5.0 Chrome/130.0' };
			await route.continue({ headers });
		});
		await page.getByTestId('workflow-chat-button').click();
		const chat = page.getByTestId('canvas-chat');
		await chat.waitFor();
		const asked = await press();
		expect(asked.status).toBe('waiting');
		await chat.getByText('The agent wants to send this text to').waitFor();
		await editor.screenshot('button-13');
		await chat.getByText('Send', { exact: true }).click();
		await chat.getByText(/^Done: dispatch \d+ is started\.$/).waitFor();
		const names = [...sandbox.store.dispatches.values()].map(({ name }) => withoutCode(name));
		expect(names).toContain('Peonies for regulars');
	});

	test('18 opens a page that asks for the code, again after a wrong one, and signs up after the right one', async () => {
		// Time passes fast here: ten minutes would be over soon.
		await sandbox.control('PUT', '/settings', { codeLifetimeMs: 24 * 3_600_000 });
		await importSample('18');
		const opened = page.context().waitForEvent('page');
		const asked = await press();
		expect(asked.status).toBe('waiting');
		const form = await opened;
		await form.getByText('We sent a code to 79161800001.').waitFor();
		const enter = async (code: string) => {
			await form.locator('input[name="field-0"]').fill(code);
			await form.getByText('Confirm', { exact: true }).click();
		};
		await enter('0000');
		await form.getByText('This code is wrong. Check the SMS and try again.').waitFor();
		// Somebody who reloads the page gets no second code.
		await form.reload();
		await form.getByText('This code is wrong. Check the SMS and try again.').waitFor();
		expect(sandbox.store.codes.size).toBe(1);
		const [{ code }] = [...sandbox.store.codes.values()];
		await enter(code);
		await form.getByText('Your number is confirmed').waitFor();
		const { status } = await n8n.session.executionEnd(asked.id);
		expect(status).toBe('success');
		await editor.screenshot('button-18');
		expect(await n8n.session.tableRows('Samples: sign-ups')).toMatchObject([
			{ phone: '79161800001' },
		]);
	});
};
