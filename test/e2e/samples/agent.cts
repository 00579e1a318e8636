import { demo } from '../../../sandbox/demo.cts';
import { reply } from '../support/waiting.cts';
import { jsonOf, type Check, type Sample } from './sample.cts';

interface Question {
	buttons: Array<{ text: string; link: string }>;
}

/** It looks things up by itself, and nothing is sent before a person has pressed the button. */
const agent: Check = async (sample) => {
	const name = 'Peonies for regulars';
	const decide = async (button: string) => {
		const asked = await sample.execute();
		expect(asked.status).toBe('waiting');
		expect(asked.runs['List companies']).toHaveLength(1);
		expect(asked.runs['Preview dispatch']).toHaveLength(1);
		const { data } = asked.runs['Ask a person first'][0] as {
			data?: { ai_tool: Array<Array<{ sendMessage: Question }>> };
		};
		const link = data?.ai_tool[0][0].sendMessage.buttons.find(({ text }) => text === button)?.link;
		// n8n takes only a browser for a person.
		await fetch(String(link), { headers: { 'user-agent': 'Mozilla/5.0 Chrome/130.0' } });
		return await sample.reached(asked.id, 'Respond in the chat');
	};

	const refused = await decide('Do not send');
	expect(sample.dispatch(name)).toBeUndefined();
	expect(jsonOf(refused, 'AI Agent')).toEqual([{ output: 'Not sent: it was not approved.' }]);

	const approved = await decide('Send');
	expect(sample.texts(name).map(([destination, text]) => [destination, text])).toEqual([
		['79161300001', 'Anna, the first peonies are here. Camomile Flowers'],
		['79031300002', 'Boris, the first peonies are here. Camomile Flowers'],
	]);
	const done = [{ output: `Done: dispatch ${sample.dispatch(name)?.id} is started.` }];
	expect(jsonOf(approved, 'AI Agent')).toEqual(done);

	// Asked again: nobody gets it twice, and the agent reports the same dispatch.
	expect(jsonOf(await decide('Send'), 'AI Agent')).toEqual(done);
	expect(sample.dispatches(name)).toHaveLength(1);
};

const notApproved = [{ output: 'Not sent: it was not approved.' }];

/** The manager gets the facts by SMS. Only an approval lets the agent send, and then once. */
const reviewed: Check = async (sample) => {
	const { name } = sample.workflow;
	/** Runs until the manager has the message. */
	const ask = async (from: Sample) => {
		const { id, status, runs } = await from.execute();
		expect([status, Object.keys(runs)]).toEqual([
			'waiting',
			expect.not.arrayContaining(['Send dispatch']) as string[],
		]);
		const message = [...sample.sandbox.store.byUuid.values()].at(-1);
		expect(message).toMatchObject({ destination: '79161900000' });
		expect(message?.text).toMatch(
			/^The AI agent wants to send an SMS to 3 people for at most [\d.]+ RUB.\n\nText: \{name\}, the first peonies are here. Camomile Flowers\nhttp\S+$/,
		);
		return { id, link: message?.single?.links?.[0]?.url ?? '' };
	};
	const expectNotSent = async (id: string) => {
		const { runs, ...execution } = await sample.ended(id);
		expect(jsonOf({ runs, ...execution }, 'AI Agent')).toEqual(notApproved);
		expect(runs['Send dispatch']).toBeUndefined();
		expect(sample.dispatches(name)).toEqual([]);
	};

	const declined = await ask(sample);
	await reply(declined.link, 'decline');
	await expectNotSent(declined.id);

	const late = await sample.connected('"limitHours":24', '"limitHours":0.001', {});
	await expectNotSent((await ask(late)).id);

	const failed = await sample.connected('+7 916 190-00-00', demo.numbers.unsent, {});
	await expectNotSent((await failed.execute()).id);

	const approved = await ask(sample);
	await reply(approved.link, 'approve');
	const { runs, ...execution } = await sample.ended(approved.id);
	expect(runs['Send dispatch']).toHaveLength(1);
	expect(sample.dispatches(name)).toHaveLength(1);
	expect(sample.texts(name).map(([destination, text]) => [destination, text])).toEqual([
		['79161900001', 'Anna, the first peonies are here. Camomile Flowers'],
		['79031900002', 'Boris, the first peonies are here. Camomile Flowers'],
		['79261900003', 'Vera, the first peonies are here. Camomile Flowers'],
	]);
	expect(jsonOf({ runs, ...execution }, 'AI Agent')).toEqual([
		{ output: `Done: dispatch ${sample.dispatch(name)?.id} is started.` },
	]);
};

export const agentChecks: Record<string, Check> = {
	'13-agent-with-approval.json': agent,
	'19-agent-review-by-phone.json': reviewed,
};
