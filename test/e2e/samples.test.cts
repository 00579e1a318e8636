import { neededN8n } from '../support/nodesOfN8n.cts';
import { languageModelCredential, signingKeyCredential } from '../../host/service/credentials.cts';
import { readSamples } from '../../host/demo/samples.cts';
import { startLanguageModel } from '../../host/service/languageModel.cts';
import { agentChecks } from './samples/agent.cts';
import { callbackChecks } from './samples/callbacks.cts';
import { dispatchChecks } from './samples/dispatches.cts';
import { messageChecks } from './samples/messages.cts';
import { peopleChecks } from './samples/people.cts';
import { Sample, type Check } from './samples/sample.cts';
import { signUpChecks } from './samples/signUp.cts';
import { upkeepChecks } from './samples/upkeep.cts';
import { undoAfterwards } from './support/cleanup.cts';
import { isOlderThan, startN8n, type TestN8n } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';

/** Every sample workflow, run as it is after import; what counts is what the service holds afterwards. */

const samples = readSamples();
const checks: Record<string, Check> = {
	...dispatchChecks,
	...messageChecks,
	...callbackChecks,
	...upkeepChecks,
	...agentChecks,
	...signUpChecks,
	...peopleChecks,
};

let n8n: TestN8n;
let sandbox: OpenSandbox;

beforeAll(async () => {
	// A minute in a second: what is sent is delivered while somebody waits for it.
	[n8n, sandbox] = await Promise.all([startN8n(), startOpenSandbox({ speed: 60 })]);
	const model = await startLanguageModel();
	undoAfterwards(model.close);
	await n8n.importCredentials([
		...Object.values(sandbox.credentials),
		languageModelCredential(model.url),
		signingKeyCredential,
	]);
});

test('every sample has a check, and every check a sample', () => {
	expect(Object.keys(checks).sort()).toEqual(samples.map(({ file }) => file));
});

test('n8n imports all of them', async () => {
	for (const { workflow } of samples) {
		await n8n.importWorkflow(workflow);
		const imported = await n8n.session.workflow(workflow.id);
		expect(imported?.nodes.map(({ name }) => name)).toEqual(workflow.nodes.map(({ name }) => name));
	}
});

const needsNewer = samples.filter(({ workflow }) => isOlderThan(neededN8n(workflow.nodes)));

for (const { file, workflow } of needsNewer) {
	const needed = neededN8n(workflow.nodes);
	process.stdout.write(`Only imported, because it needs n8n ${needed}: ${file}\n`);
	test.skip(`${file}, from n8n ${needed} on`, () => undefined);
}

// Not test.each, which fails for an n8n that is too old for every sample.
for (const { file, workflow } of samples.filter((sample) => !needsNewer.includes(sample))) {
	test(file, async () => {
		await checks[file](new Sample(workflow, n8n, sandbox));
	});
}
