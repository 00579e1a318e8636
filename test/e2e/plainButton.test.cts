import path from 'node:path';
import { projectFolder } from '../../host/process/folders.cts';
import { openEditor, type Editor } from './support/browser.cts';
import { languageModelCredential } from '../../host/n8n/credentials.cts';
import { startLanguageModel } from '../../host/service/languageModel.cts';
import { undoAfterwards } from './support/cleanup.cts';
import { startN8n, type TestN8n } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';
import { readSamples } from '../../host/n8n/samples.cts';

let n8n: TestN8n;
let sandbox: OpenSandbox;
let editor: Editor;
beforeAll(async () => {
	[n8n, sandbox] = await Promise.all([startN8n(), startOpenSandbox({ speed: 60 })]);
	const model = await startLanguageModel();
	undoAfterwards(model.close);
	await n8n.importCredentials([...Object.values(sandbox.credentials), languageModelCredential(model.url)]);
	editor = await openEditor(n8n);
});

test.each(['13'])('%s', async (number) => {
	const sample = readSamples().find(({ file }) => file.startsWith(number))!;
	const { page } = editor;
	await n8n.importWorkflow(sample.workflow);
	await page.goto(`${n8n.url}/workflow/${sample.workflow.id}`);
	const button = page.getByTestId('execute-workflow-button');
	await button.waitFor();
	console.log(number, 'stored', await button.textContent());
	await page.goto(`${n8n.url}/workflow/new`);
	await page.getByTestId('workflow-import-input').setInputFiles(path.join(projectFolder, 'workflows', sample.file));
	await button.waitFor();
	await editor.screenshot(`try-${number}`);
	const answer = page.waitForResponse((r) => /\/workflows\/[^/]+\/run/.test(r.url()));
	console.log(number, 'imported', await button.textContent());
	await page.getByTestId('workflow-chat-button').click(); await page.waitForTimeout(1500);
	await button.click();
	const response = await answer;
	const { data } = await response.json();
	console.log(number, response.url(), JSON.stringify(data));
	const id = /workflows\/([^/]+)\/run/.exec(response.url())![1];
	const stored = await n8n.session.workflow(id);
	console.log(JSON.stringify(stored!.nodes.filter((n) => n.webhookId).map((n) => [n.name, n.webhookId])), Object.keys(stored!.pinData ?? {}));
	if (data.executionId) {
		const e = await n8n.session.executionEnd(data.executionId, { until: (s) => s === 'waiting', timeoutSeconds: 60 });
		console.log(e.status, Object.keys(e.runs));
	}
	await page.waitForTimeout(3000); await page.screenshot({ path: '/tmp/w17s-shots/a.png' }); const chat = page.getByTestId('workflow-chat-button'); console.log(await chat.count(), await page.getByText('Open chat').count(), await page.getByText('The agent wants to send').count());  await page.waitForTimeout(4000); await page.screenshot({ path: '/tmp/w17s-shots/b.png' });
	await editor.screenshot(`try-${number}-after`);
});
