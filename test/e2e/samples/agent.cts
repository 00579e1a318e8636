import { jsonOf, type Check } from './sample.cts';

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
	expect(jsonOf(approved, 'AI Agent')).toEqual([
		{ output: `Done: dispatch ${sample.dispatch(name)?.id} is started.` },
	]);
};

export const agentChecks: Record<string, Check> = { '13-agent-with-approval.json': agent };
