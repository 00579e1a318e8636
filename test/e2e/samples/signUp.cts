import { jsonOf, type Check } from './sample.cts';
import { FormVisitor } from './formVisitor.cts';

const table = 'Samples: sign-ups';
const signUp: Check = async (sample) => {
	const { store, control } = sample.sandbox;
	// Time passes fast here.
	await control('PUT', '/settings', { codeLifetimeMs: 24 * 3_600_000 });
	const waiting = await sample.execute();
	console.log(waiting.status, jsonOf(waiting, 'Send code'));
	const live = await sample.connected('', '', {
		change: (json) =>
			json.replaceAll('4c55-8f05-', '4c55-8f18-').replace('"n8nUserAuth"', '"none"'),
	});
	await live.n8n.publish(live.workflow.id);
	const form = live.workflow.nodes.find(({ type }) => type.endsWith('.formTrigger'));
	const url = `${live.n8n.url}/form/${form?.webhookId}`;
	const v = new FormVisitor(url);
	console.log(await v.submit('8 916 180-00-02', '["I agree"]'));
	console.log(v.waitingUrl, v.executionId);
	console.log(await v.page());
	console.log(await v.submit('0000'));
	console.log(await v.page());
	const [uuid, { code }] = [...store.codes].at(-1)!;
	console.log(uuid, code);
	const t = Date.now();
	const twice = await Promise.all([1, 2].map(async () => await Promise.race([v.submit('0001').catch(String), new Promise((r) => setTimeout(() => r('no answer'), 8000))])));
	console.log(twice, Date.now() - t);
	console.log(await v.page());
	const e = await live.n8n.session.execution(v.executionId);
	console.log(Object.entries(e.runs).map(([k, r]) => `${k} ${r.length}`));
	console.log(await v.submit(code));
	console.log(await v.page());
	console.log(await v.submit());
	const end = await live.ended(v.executionId);
	console.log(Object.entries(end.runs).map(([k, r]) => `${k} ${r.length}`));
	console.log(await v.reload());
	console.log(await v.submit(code).catch(String));
	console.log(await sample.table(table));
};

export const signUpChecks: Record<string, Check> = { '18-sign-up-form.json': signUp };
