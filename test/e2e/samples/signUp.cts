import { setTimeout as pause } from 'node:timers/promises';
import { demo } from '../../../sandbox/demo.cts';
import { FormVisitor, formUrl, letsNoStrangerSend } from './formVisitor.cts';
import { jsonOf, type Check, type Sample } from './sample.cts';

const yes = '["I agree to receive messages from Camomile Flowers"]';
const checkPath = '*/verifier/check';

/** What the pages say. */
const says = {
	enter: 'We sent a code to 7916',
	again: 'This code is wrong. Check the SMS and try again.',
	confirmed: 'Your number is confirmed',
	notConfirmed: 'Your number is not confirmed',
	notSignedUp: 'You are not signed up',
};

const signedUp = async (sample: Sample) =>
	((await sample.table('Samples: sign-ups')) ?? []).map(({ phone }) => phone);

/** The code that is in the newest SMS. */
async function newestCode({ sandbox }: Sample) {
	const codes = (await sandbox.control('GET', '/codes')) as unknown as Array<{ code: string }>;
	return codes[0]?.code ?? '';
}

const count = (sample: Sample, call: string) =>
	sample.sandbox.sandbox.requests.count(`POST ${call}`);

/** From the form to the page that asks for the code. */
async function untilCode(sample: Sample, phone: string) {
	const visitor = new FormVisitor(formUrl(sample));
	await visitor.submit(phone, yes);
	expect(await visitor.page()).toContain(says.enter);
	return { visitor, code: await newestCode(sample) };
}

/** The last page is shown; the workflow has nothing left to do after it. */
async function endsWith(sample: Sample, visitor: FormVisitor, ...texts: string[]) {
	const page = await visitor.page();
	for (const text of texts) expect(page).toContain(text);
	// n8n's page does this by itself.
	await visitor.submit();
	return await sample.ended(visitor.executionId);
}

/** The second click comes while the first one's code is being checked. n8n leaves it without a response. */
async function clicksTwice(sample: Sample, visitor: FormVisitor) {
	const checksBefore = count(sample, '/verifier/check');
	sample.sandbox.sandbox.faults.add({ kind: 'delay', ms: 5_000, match: { path: checkPath } });
	const first = visitor.submit('0001');
	while (count(sample, '/verifier/check') === checksBefore) await pause(20);
	const tab = new AbortController();
	const second = expect(visitor.submitUntil(tab.signal, '0001')).rejects.toThrow('aborted');
	await first;
	expect(await visitor.page()).toContain(says.again);
	tab.abort();
	await second;
	expect(count(sample, '/verifier/check')).toBe(checksBefore + 1);
}

/** Wrong first, then right, with everything that an impatient person does in between. */
async function confirms(sample: Sample) {
	const { visitor, code } = await untilCode(sample, '8 (916) 180-00-02');
	const codesBefore = count(sample, '/verifier/send');
	await visitor.submit('0000');
	expect(await visitor.page()).toContain(says.again);
	expect(await visitor.reload()).toContain(says.again);
	await clicksTwice(sample, visitor);
	expect(await signedUp(sample)).toEqual([]);

	await visitor.submit(code);
	const end = await endsWith(sample, visitor, says.confirmed, '79161800002');
	expect(jsonOf(end, 'Save sign-up')).toMatchObject([
		{
			phone: '79161800002',
			consent: 'I agree to receive messages from Camomile Flowers',
			consentAt: expect.any(String),
			confirmedAt: expect.any(String),
		},
	]);
	expect(await visitor.reload()).toContain(says.confirmed);
	// Submitting once more does nothing.
	await visitor.submit(code);
	expect(await signedUp(sample)).toEqual(['79161800002']);
	expect(count(sample, '/verifier/send')).toBe(codesBefore);
}

async function threeTries(sample: Sample) {
	const { visitor, code } = await untilCode(sample, '+7 916 180-00-03');
	for (const wrong of ['0000', '0001']) {
		await visitor.submit(wrong);
		expect(await visitor.page()).toContain(says.again);
	}
	await visitor.submit('0002');
	expect(await visitor.page()).toContain(says.notConfirmed);
	// The right one comes too late.
	await visitor.submit(code);
	await sample.ended(visitor.executionId);
	expect(await visitor.reload()).toContain('The code was wrong three times.');
}

/** Whatever isn't exactly the confirmed outcome ends without a sign-up. */
async function failsClosed(sample: Sample) {
	const { store, control, sandbox } = sample.sandbox;
	const answers = (status: number, body: object) =>
		sandbox.faults.add({
			kind: 'status',
			status,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			match: { path: checkPath },
		});
	const expire = async () => await control('PUT', '/settings', { codeLifetimeMs: 0 });
	const cases: Array<[text: string, before: () => unknown, entered?: string]> = [
		['The code is no longer valid.', () => store.codes.clear()],
		['We could not check the code.', () => answers(200, { status: 'confirmed' })],
		['We could not check the code.', () => answers(200, { status: 'LATER' })],
		['We could not check the code.', () => answers(200, { ok: true })],
		['We could not check the code.', () => answers(400, { error: { code: 4000, msg: 'No' } })],
		['We could not check the code.', () => undefined, ''],
		['The code has expired.', expire],
	];
	for (const [text, before, entered] of cases) {
		const { visitor, code } = await untilCode(sample, '+7 916 180-00-04');
		await before();
		await visitor.submit(entered ?? code);
		await endsWith(sample, visitor, says.notConfirmed, text);
	}
}

async function sendsNothing(sample: Sample) {
	const before = count(sample, '/verifier/send');
	const visit = async (text: string, ...values: string[]) => {
		const visitor = new FormVisitor(formUrl(sample));
		await visitor.submit(...values);
		await endsWith(sample, visitor, says.notSignedUp, text);
	};
	const noConsent = 'We may only send you a code if you agree.';
	// n8n checks required fields in the browser only.
	await visit(noConsent, demo.numbers.mts);
	await visit(noConsent, demo.numbers.mts, '[]');
	await visit('We could not send a code.', 'my number', yes);
	expect(count(sample, '/verifier/send')).toBe(before);
}

/** First as it comes: for people of this n8n, with sample data. Then as in production: open to everybody. */
const signUp: Check = async (sample) => {
	// Time passes fast here: ten minutes would be over soon.
	await sample.sandbox.control('PUT', '/settings', { codeLifetimeMs: 24 * 3_600_000 });
	await sample.n8n.publish(sample.workflow.id);
	await letsNoStrangerSend(sample);
	expect(count(sample, '/verifier/send')).toBe(0);
	const asked = await sample.execute();
	expect(asked.status).toBe('waiting');
	expect(jsonOf(asked, 'Send code')).toEqual([
		{ uuid: expect.any(String), destination: '79161800001' },
	]);

	const live = await sample.connected('', '', {
		change: (json) =>
			json.replaceAll('-4c55-8f05-', '-4c55-8f18-').replace('"n8nUserAuth"', '"none"'),
	});
	await live.n8n.publish(live.workflow.id);
	await confirms(live);
	await threeTries(live);
	await sendsNothing(live);
	await failsClosed(live);
	expect(await signedUp(live)).toEqual(['79161800002']);
};

export const signUpChecks: Record<string, Check> = { '18-sign-up-form.json': signUp };
