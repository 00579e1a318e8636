import {
	languageModelCredential,
	signingKeyCredential,
} from '../../../host/service/credentials.cts';
import { startLanguageModel } from '../../../host/service/languageModel.cts';
import { openEditor } from './browser.cts';
import { undoAfterwards } from './cleanup.cts';
import { startN8n } from './n8n.cts';
import { startOpenSandbox } from './openSandbox.cts';

async function start() {
	// A minute in a second: what is sent is delivered while somebody waits for it.
	const [n8n, sandbox] = await Promise.all([
		startN8n({ hasEditor: true }),
		startOpenSandbox({ speed: 60 }),
	]);
	const model = await startLanguageModel();
	undoAfterwards(model.close);
	await n8n.importCredentials([
		...Object.values(sandbox.credentials),
		languageModelCredential(model.url),
		signingKeyCredential,
	]);
	return { n8n, sandbox, editor: await openEditor(n8n) };
}

export type TheEditor = Awaited<ReturnType<typeof start>>;

let started: Promise<TheEditor> | undefined;

/** An n8n with its editor, the service it works with, and a tab of a signed-in browser. The test file has one n8n and one browser. */
export async function theEditor(): Promise<TheEditor> {
	const { editor, ...others } = await (started ??= start());
	return { ...others, editor: await editor.newTab() };
}
