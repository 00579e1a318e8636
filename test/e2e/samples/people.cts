import { demo } from '../../../sandbox/demo.cts';
import { readSamples, startNode } from '../../../host/demo/samples.cts';
import { axeFindings, sidewaysScroll } from '../support/axe.cts';
import { openBrowser } from '../support/browser.cts';
import { callbackUrl } from './callbacks.cts';
import { FormVisitor, formUrl, letsNoStrangerSend } from './formVisitor.cts';
import { sentAs } from './messages.cts';
import { jsonOf, Sample, type Check } from './sample.cts';

/** The samples in which recipients write, opt out or agree. */

const questions = 'Samples: open questions';
const consents = 'Samples: consents';

const blocked = ({ sandbox }: Sample) => sandbox.store.blacklists.get(demo.companies.flowers);

const write = async ({ sandbox }: Sample, destination: string, text: string) =>
	await sandbox.control('POST', '/inbound', {
		senderName: demo.senderNames.whatsapp,
		destination,
		text,
	});

const useRuleOf = async (sample: Sample) =>
	await sample.sandbox.control('PUT', '/inbound-rules', {
		rules: [{ trafficCenterId: 1, callbackUrl: callbackUrl(sample) }],
	});

/** How many events have started this workflow and gone through it. */
const untilTriggered = async (sample: Sample, count: number) => {
	await sample.until(async () => {
		const all = await sample.n8n.executions(sample.workflow.id);
		return all.filter(({ mode }) => mode === 'webhook').length === count;
	});
	return await sample.triggered();
};

const asked = { number: '79168200001', reply: 'On Saturday, please' };

const question: Check = async (sample) => {
	await sample.n8n.publish(sample.workflow.id);
	await letsNoStrangerSend(sample);
	await useRuleOf(sample);
	const { id, status } = await sample.execute();
	expect(status).toBe('waiting');
	expect(await sample.table(questions)).toMatchObject([{ phone: asked.number, execution: id }]);
	expect(sentAs(sample, 'question-')).toMatchObject([{ destination: asked.number }]);

	// Another person's message resumes nothing.
	await write(sample, '79168200002', 'Hello');
	await untilTriggered(sample, 1);
	expect((await sample.n8n.session.execution(id)).status).toBe('waiting');

	await write(sample, asked.number, asked.reply);
	const ended = await sample.ended(id);
	expect(jsonOf(ended, 'Continue with the reply')).toMatchObject([
		{ phone: asked.number, reply: asked.reply, repliedAt: expect.any(String) },
	]);
	expect(await sample.table(questions)).toEqual([]);
	await write(sample, asked.number, 'And a card');
	const triggered = await untilTriggered(sample, 3);
	expect(triggered.flatMap((one) => jsonOf(one, 'Resume the execution'))).toHaveLength(1);

	// Nobody replies in time: it continues without a reply, and the question is closed.
	const short = await sample.connected('', '', {
		change: (json) =>
			json
				.replaceAll('-4c55-8f05-', '-4c55-8f20-')
				// The number is found however it is typed.
				.replace('+7 916 820-00-01', '007 916 820-00-01')
				.replace('"resumeAmount":1,"resumeUnit":"days"', '"resumeAmount":1,"resumeUnit":"seconds"'),
	});
	const late = await short.ended((await short.execute()).id);
	const noReply = (reason: string) => [{ phone: asked.number, reason }];
	expect(jsonOf(late, 'No reply')).toMatchObject(noReply('No reply in time'));
	expect(jsonOf(late, 'Continue with the reply')).toEqual([]);
	expect(await sample.table(questions)).toEqual([]);

	// A question that was never sent doesn't stay open.
	const rejected = await sample.connected('', '', {
		change: (json) => json.replace('"FlowersWA"', '"NoSuchName"'),
	});
	const unsent = await rejected.execute();
	expect(unsent.status).toBe('success');
	expect(jsonOf(unsent, 'No reply')).toMatchObject(noReply('The question was not sent'));
	expect(await sample.table(questions)).toEqual([]);

	// A reply without text is a reply.
	const picture = await sample.execute();
	await write(sample, asked.number, ' ');
	expect(jsonOf(await sample.ended(picture.id), 'Continue with the reply')).toMatchObject([
		{ reply: expect.stringMatching(/^\(.+\)$/) },
	]);

	// A message from before the question isn't its reply.
	const future = await sample.connected('$now.toISO()', "$now.plus(1, 'year').toISO()", {});
	const earlier = await future.execute();
	await write(sample, asked.number, 'Written before');
	await sample.until(async () => {
		const runs = await sample.triggered();
		return runs.some((run) =>
			jsonOf(run, 'Not a reply').some(({ text }) => text === 'Written before'),
		);
	});
	expect((await sample.n8n.session.execution(earlier.id)).status).toBe('waiting');

	// The reply comes while the question is still being sent: it isn't lost.
	const { faults } = sample.sandbox.sandbox;
	faults.add({ kind: 'delay', ms: 20_000, match: { method: 'POST', path: '*/message' } });
	const start = startNode(sample.workflow)?.name ?? '';
	const quick = await sample.n8n.session.start(sample.workflow.id, start);
	await sample.until(async () => (await sample.table(questions))?.[0]?.execution === quick);
	await write(sample, asked.number, 'At once');
	await sample.until(async () => {
		const all = await sample.n8n.executions(sample.workflow.id);
		return all.some(({ mode, status }) => mode === 'webhook' && status === 'error');
	});
	expect(await sample.table(questions)).toMatchObject([{ execution: quick }]);
	expect(jsonOf(await sample.ended(quick), 'Continue with the reply')).toMatchObject([
		{ reply: 'At once' },
	]);

	// The execution was stopped: its question doesn't stay open, and the service sends the message again.
	const stopped = await sample.execute();
	await sample.n8n.session.request('POST', `/rest/executions/${stopped.id}/stop`);
	expect(await sample.table(questions)).toMatchObject([{ execution: stopped.id }]);
	await write(sample, asked.number, 'Too late');
	await sample.until(async () => (await sample.table(questions))?.length === 0);
	await sample.until(async () => {
		const all = await sample.n8n.executions(sample.workflow.id);
		const [newest, before] = all.filter(({ mode }) => mode === 'webhook');
		return newest?.status === 'success' && before?.status === 'error';
	});
};

const sampleLike = ({ n8n, sandbox }: Sample, number: string) => {
	const found = readSamples().find(({ file }) => file.startsWith(number));
	if (found === undefined) throw new Error(`There is no sample ${number}.`);
	return new Sample(found.workflow, n8n, sandbox);
};

const handOn: Check = async (sample) => {
	const [stop, ask] = ['08', '20'].map((number) => sampleLike(sample, number));
	for (const one of [stop, ask, sample]) await one.n8n.publish(one.workflow.id);
	await useRuleOf(sample);
	const { id } = await ask.execute();
	const people = { leaves: '79168210002', asks: '79168210003' };

	await write(sample, people.leaves, 'STOP');
	await sample.until(async () => blocked(sample)?.has(people.leaves) === true);
	await write(sample, asked.number, asked.reply);
	expect(jsonOf(await ask.ended(id), 'Continue with the reply')).toMatchObject([
		{ reply: asked.reply },
	]);
	await write(sample, people.asks, 'Are you open today?');
	const runs = await untilTriggered(sample, 3);
	const destinations = (node: string) =>
		runs.flatMap((run) => jsonOf(run, node)).map(({ destination }) => destination);
	// Each message has gone one way only.
	expect(destinations('Other messages')).toEqual([people.asks]);
	expect(runs.filter((run) => run.items('Run 08: STOP').length > 0)).toHaveLength(1);
	expect(blocked(sample)?.has(people.asks)).toBe(false);

	// The question is over when its reply arrives: the service sends the message again, and a person reads it.
	const over = await ask.execute();
	await ask.n8n.session.request('POST', `/rest/executions/${over.id}/stop`);
	await write(sample, asked.number, 'Too late');
	await sample.until(async () => {
		const all = await sample.n8n.executions(sample.workflow.id);
		const [newest] = all.filter(({ mode }) => mode === 'webhook');
		if (newest?.status !== 'success') return false;
		const run = await sample.ended(newest.id);
		return jsonOf(run, 'Other messages').some(({ text }) => text === 'Too late');
	});

	// The sample message of the trigger, run by hand.
	const manual = await sample.execute();
	await sample.ended(manual.id);
	expect(blocked(sample)?.get('79168210001')).toContain('Stop');
};

interface Preview {
	parts: number;
	texts: Array<{ text: string; parts: number }>;
}

const optOut: Check = async (sample) => {
	const { name } = sample.workflow;
	const people = { presses: '79162200001', uses: '79032200002' };
	const calls = () => sample.sandbox.sandbox.requests.count('PUT /recipients');
	await sample.n8n.publish(sample.workflow.id);
	await letsNoStrangerSend(sample);
	const execution = await sample.execute();

	// The preview shows each text with its link, and what the service charges for it.
	const [preview] = jsonOf(execution, 'Preview dispatch') as unknown as Preview[];
	const sent = sample.dispatch(name)?.messages ?? [];
	expect(sent.map(({ destination }) => destination)).toEqual(Object.values(people));
	expect(preview.texts).toMatchObject(sent.map(({ text, parts }) => ({ text, parts })));
	expect(preview.parts).toBe(sent.reduce((sum, { parts }) => sum + parts, 0));
	const [link, otherLink] = sent.map(({ text }) => /https?:\S+$/.exec(text)?.[0] ?? '');
	expect(link).toMatch(/\/webhook\/opt-out\?k=[0-9a-f]{24}$/);
	for (const number of Object.values(people)) {
		expect(link + otherLink).not.toContain(number.slice(1));
	}

	const before = calls();
	const visit = async (method: string, url: string, agent = 'Mozilla/5.0 Chrome/130.0') => {
		const response = await fetch(url, { method, headers: { 'user-agent': agent } });
		return { status: response.status, page: await response.text() };
	};
	// A link preview opens the link, and so does the person. Neither changes anything.
	for (const agent of ['WhatsApp/2.23.20', 'facebookexternalhit/1.1', undefined]) {
		const { status, page } = await visit('GET', link, agent);
		expect([status, page]).toEqual([200, expect.stringContaining('<form method="post">')]);
	}
	const key = new URL(link).searchParams.get('k') ?? '';
	const forged = [
		link.replace(
			key,
			key.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
		),
		link.replace(key, key.slice(0, -1)),
		link.replace(key, key.toUpperCase()),
		link.replace(key, ''),
		link.replace(/\?.*/, ''),
		link.replace('k=', 'c='),
	];
	for (const url of forged) {
		for (const method of ['GET', 'POST']) {
			const { status, page } = await visit(method, url);
			expect([url, status]).toEqual([url, 404]);
			expect(page).toContain('This link is not valid');
		}
	}
	expect(calls()).toBe(before);

	// The service rejects it, or its response doesn't show the result: the page doesn't claim that it worked.
	const responses = [
		{ status: 400, body: { error: { code: 4000, msg: 'No' } } },
		{ status: 200, body: {} },
	];
	for (const { status, body } of responses) {
		sample.sandbox.sandbox.faults.add({
			kind: 'status',
			status,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			match: { path: '*/recipients' },
		});
		expect(await visit('POST', link)).toMatchObject({
			status: 500,
			page: expect.stringContaining('You are not unsubscribed yet'),
		});
		expect(blocked(sample)?.has(people.presses) ?? false).toBe(false);
	}

	// Galina has another number now: her old link still belongs to the old one.
	const later = await sample.connected('', '', {
		change: (json) =>
			json.replaceAll('-4c55-8f05-', '-4c55-8f22-').replace('+7 916 220-00-01', '+7 916 220-00-03'),
	});
	await later.execute();
	const newLink = /https?:\S+$/.exec(sample.dispatch(name)?.messages[0]?.text ?? '')?.[0];
	expect(newLink).toMatch(/\?k=[0-9a-f]{24}$/);
	expect(newLink).not.toBe(link);

	// Pressing it twice is harmless.
	const presses = [await visit('POST', link), await visit('POST', link)];
	const confirmed = { status: 200, page: expect.stringContaining('You are unsubscribed') };
	expect(presses).toMatchObject([confirmed, confirmed]);
	expect(blocked(sample)?.get(people.presses)).toContain('Pressed the opt-out link on');
	expect(blocked(sample)?.has(people.uses)).toBe(false);
	expect(blocked(sample)?.has('79162200003')).toBe(false);

	// Without a number there is no link, and nobody gets a message.
	const count = sample.dispatches(name).length;
	const incomplete = await sample.connected('8 903 220 00 02', ' ', {});
	expect(await incomplete.stops()).toContain('has no phone number. Nothing was sent.');
	expect(sample.dispatches(name)).toHaveLength(count);

	// axe is a script of somebody else: only here it may run.
	const { browser, page } = await openBrowser({ bypassCSP: true });
	await page.setViewportSize({ width: 320, height: 640 });
	const axe = async () => {
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme });
			expect([page.url(), await axeFindings(page)]).toEqual([page.url(), []]);
		}
		expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
	};
	await page.goto(forged[0] ?? '');
	await axe();
	await page.goto(otherLink);
	await axe();
	await page.getByRole('button', { name: 'Unsubscribe' }).click();
	await page.getByText('You are unsubscribed').waitFor();
	await axe();
	await browser.close();
	expect(blocked(sample)?.has(people.uses)).toBe(true);
	await sample.triggered();
};

const agreed =
	'I agree that Camomile Flowers sends me offers by SMS. I can withdraw this at any time.';

const doubleOptIn: Check = async (sample) => {
	const records = async () => (await sample.table(consents)) ?? [];
	const of = async (phone: string) => (await records()).filter((one) => one.phone === phone);
	const codesSent = () => sample.sandbox.sandbox.requests.count('POST /verifier/send');
	// Time passes fast here: ten minutes would be over soon.
	await sample.sandbox.control('PUT', '/settings', { codeLifetimeMs: 24 * 3_600_000 });
	await sample.n8n.publish(sample.workflow.id);
	await letsNoStrangerSend(sample);
	expect((await sample.execute()).status).toBe('waiting');
	expect(await of('79162300001')).toEqual([]);

	const live = await sample.connected('', '', {
		change: (json) =>
			json.replaceAll('-4c55-8f05-', '-4c55-8f23-').replace('"n8nUserAuth"', '"none"'),
	});
	await live.n8n.publish(live.workflow.id);
	const visit = async (...values: string[]) => {
		const visitor = new FormVisitor(formUrl(live));
		await visitor.submit(...values);
		return { visitor, page: await visitor.page() };
	};
	const before = codesSent();
	// Neither without a consent nor with a text that isn't the form's.
	for (const consent of ['[]', '["I agree to nothing"]']) {
		expect((await visit('+7 916 230-00-02', consent, 'shop')).page).toContain('is not recorded');
	}
	expect(codesSent()).toBe(before);

	// Twice: each consent has a record of its own.
	for (const source of ['shop', 'fair']) {
		const { visitor } = await visit('8 (916) 230-00-02', JSON.stringify([agreed]), source);
		const earlier = (await of('79162300002')).length;
		await visitor.submit('0000');
		expect(await visitor.page()).toContain('This code is wrong');
		expect(await of('79162300002')).toHaveLength(earlier);
		const codes = (await live.sandbox.control('GET', '/codes')) as unknown as Array<{
			code: string;
		}>;
		await visitor.submit(codes[0]?.code ?? '');
		expect(await visitor.page()).toContain('Your consent for 79162300002 is recorded');
		await visitor.submit();
		await live.ended(visitor.executionId);
	}
	expect(await of('79162300002')).toMatchObject(
		['shop', 'fair'].map((source) => ({
			consent: agreed,
			purpose: 'SMS offers',
			source,
			consentAt: expect.stringMatching(/^\d{4}-/),
			confirmedAt: expect.stringMatching(/^\d{4}-/),
			verification: expect.stringMatching(/./),
		})),
	);
};

const withConsent: Check = async (sample) => {
	const name = 'Offer with consent';
	const leftOut = [
		{ name: 'Rita', number: '79262400003', result: 'leftOut', reason: 'No consent record' },
		{ name: 'Egor', number: '79012400004', result: 'leftOut', reason: 'No consent record' },
	];
	const messagesTo = (numbers: string[]) =>
		[...sample.sandbox.store.dispatches.values()]
			.flatMap(({ messages }) => messages)
			.filter(({ destination }) => numbers.includes(destination));
	const execution = await sample.execute();
	expect(sample.texts(name).map(([destination, text]) => [destination, text])).toEqual([
		['79162400001', 'Inga, roses at half price until Sunday. Camomile Flowers'],
		['79032400002', 'Mark, roses at half price until Sunday. Camomile Flowers'],
	]);
	expect(jsonOf(execution, 'Report')).toMatchObject([
		{ name: 'Inga', number: '79162400001', result: 'accepted' },
		{ name: 'Mark', number: '79032400002', result: 'accepted' },
		...leftOut,
	]);
	expect(messagesTo(leftOut.map(({ number }) => number))).toEqual([]);
	const again = await sample.pressedAgain(name);
	expect(jsonOf(again, 'Report')).toMatchObject([
		{
			name: 'Inga',
			result: 'skipped',
			reason: expect.stringMatching(/^Is in dispatch \d+, which was sent before$/),
		},
		{
			name: 'Mark',
			result: 'skipped',
			reason: expect.stringMatching(/^Is in dispatch \d+, which was sent before$/),
		},
		...leftOut,
	]);

	// Records exist, but of other people, never confirmed with the code, or of something else: nothing is created.
	// n8n 2.20 and older call an empty text "not empty".
	const others: Array<(json: string) => string> = [
		(json) =>
			json
				.replace('+7 916 240-00-01', '+7 916 240-00-05')
				.replace('8 (903) 240-00-02', '+7 903 240-00-06')
				.replace('79032400002', '79032400006')
				.replaceAll('={{ $json.confirmedAt }}', ''),
		// To another text, or for another purpose.
		(json) => json.replace('"consent":"I agree that', '"consent":"I agreed that'),
		(json) => json.replace('"purpose":"SMS offers"', '"purpose":"deliveries"'),
	];
	for (const change of others) {
		const nobody = await (await sample.connected('', '', { change })).execute();
		expect(jsonOf(nobody, 'Report').map(({ result }) => result)).toEqual(
			Array.from({ length: 4 }, () => 'leftOut'),
		);
	}
	expect(sample.dispatches(name)).toHaveLength(1);
};

export const peopleChecks: Record<string, Check> = {
	'20-ask-on-whatsapp.json': question,
	'21-hand-on-inbound-messages.json': handOn,
	'22-opt-out-link.json': optOut,
	'23-double-opt-in.json': doubleOptIn,
	'24-send-with-consent.json': withConsent,
};
