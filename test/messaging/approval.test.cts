import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { demo } from '../../sandbox/demo.cts';
import { receiveInbound } from '../../sandbox/time/inbound.cts';
import { hintsOf, runNode } from '../support/n8n.cts';
import { jsonOf } from '../support/sandbox.cts';
import { fromItems, fund, numberOf, singlesOf, useMessaging } from './messages.cts';
import { callWebhook } from './waitingWebhook.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

const bench = useMessaging();
beforeEach(() => fund(bench.sandbox));

const workflowId = 'answers';
const asking = (responseType: 'approval' | 'freeText', more: INodeParameters = {}) => ({
	resource: 'message',
	operation: 'sendAndWait',
	channelType: 'SMS',
	senderName: fromItems.senderName,
	destination: numberOf(0),
	message: 'Send to 3,000 people?',
	responseType,
	...more,
	// So that a test sees the link itself.
	options: { shortUrl: false, ...(more.options as object) },
});

const viber = { channelType: 'VIBER', senderName: demo.senderNames.viber };

const linksIn = (text: unknown) => String(text).match(/http:\S+/g) ?? [];

/** Runs it until the execution sleeps. */
const ask = async (parameters: INodeParameters, json: IDataObject = {}, typeName = 'tested') => {
	const { items, error, run } = await runNode({
		node: new BulkMessaging(),
		typeName,
		parameters,
		items: [json],
		credentials: bench.credentials(),
		workflowId,
	});
	const [message] = singlesOf(bench.sandbox).slice(-1);
	const content = message?.single?.content;
	return {
		error,
		hints: hintsOf({ run }).join(),
		isWaiting: run.waitTill !== undefined,
		stored: items[0]?.json ?? {},
		message,
		content,
		link: linksIn(JSON.stringify(content)?.replace(/\\n|["\\]/g, ' ')).at(-1) ?? '',
		parameters,
	};
};
type Asked = Awaited<ReturnType<typeof ask>>;

interface Visit {
	method?: 'GET' | 'POST';
	body?: IDataObject;
	url?: string;
	ofExecution?: string;
}

/** Opens the link, or sends the form on its page. */
const visit = async (
	{ stored, link, parameters }: Pick<Asked, 'stored' | 'link' | 'parameters'>,
	{ method = 'GET', url = link, ...more }: Visit = {},
) => {
	const query = Object.fromEntries(new URL(url).searchParams);
	return await callWebhook({ workflowId, parameters, stored, method, query, ...more });
};

const approve = { method: 'POST', body: { reply: 'approve' } } as const;
const refused = { status: 401, resumedWith: undefined };
const isOver = { status: 410, resumedWith: undefined };

test('a page that is only opened, even with the answer in its request: not an answer', async () => {
	const asked = await ask(asking('approval'));
	const { status, resumedWith, answer } = await visit(asked, { ...approve, method: 'GET' });
	expect([status, resumedWith, answer]).toEqual([200, undefined, undefined]);
});

describe('the link in the message', () => {
	test('stands at the end', async () => {
		const { content, link, stored, isWaiting } = await ask(asking('approval'));
		expect(content).toBe(`Send to 3,000 people?\n${link}`);
		expect(new URL(link).searchParams.get('ask')).toBe(stored.waitId);
		expect(isWaiting).toBe(true);
	});

	test.each([
		[undefined, 1],
		[true, 1],
		[false, 0],
	])("with 'Shorten Links' %s: %d short link", async (shortUrl, count) => {
		const { message } = await ask(asking('approval', { options: { shortUrl } }));
		expect(message?.single?.links ?? []).toHaveLength(count);
	});

	test('stands where {link} is, whatever the item has under that name', async () => {
		const text = 'Open {link} please, {name}';
		const item = { name: 'Anna', link: 'https://example.com' };
		const { content, link } = await ask(asking('approval', { message: text }), item);
		expect(content).toBe(`Open ${link} please, Anna`);
	});

	const json = (content: string) => ({ contentFormat: 'json', content });
	const fields = (...field: object[]) => ({
		contentFormat: 'fields',
		contentFields: { field: field.map((one) => ({ type: 'text', ...one })) },
	});
	const button = '{ "text": "Agree?", "button": { "url": "{link}" } }';
	const inFields = [
		{ name: 'text', value: 'Agree?' },
		{ name: 'button.url', value: '{link}' },
	];
	const withJson = [
		{ name: 'text', value: 'Agree? \\{link}' },
		{ name: 'button', type: 'json', value: '{ "url": "{link}" }' },
	];
	test.each<[string, object, (link: string) => unknown]>([
		['JSON', json(button), (url) => ({ text: 'Agree?', button: { url } })],
		['JSON without a place', json('{"text": "Agree?"}'), (link) => ({ text: `Agree?\n${link}` })],
		['fields', fields(...inFields), (url) => ({ text: 'Agree?', button: { url } })],
		['a JSON field', fields(...withJson), (url) => ({ text: 'Agree? {link}', button: { url } })],
	])('in content by %s', async (_, parameters, expected) => {
		const asked = await ask(asking('approval', { ...parameters, ...viber }));
		expect(asked.error).toBeUndefined();
		expect(asked.content).toEqual(expected(asked.link));
	});
});

describe('a review tool', () => {
	const review = async (more: INodeParameters) =>
		await ask(
			asking('approval', more),
			{ toolCallId: 'call_1' },
			'n8n-nodes-bulk-messaging.bulkMessagingHitlTool',
		);
	const message =
		'Send "{name|friend}, {toolCallId} \\\\{ } {"? {link} https://link.invalid/ {{x}}';

	test("quotes the agent's text as it is, and the link stands at the end", async () => {
		const { content, link, stored } = await review({ message });
		expect(new URL(link).searchParams.has('ask')).toBe(true);
		expect(content).toBe(`${message}\n${link}`);
		expect(stored.text).toBe(message);
	});

	test('fills no placeholder in the header and the footer either', async () => {
		const whatsApp = { channelType: 'WHATSAPP', senderName: demo.senderNames.whatsapp };
		const destination = numberOf(0);
		receiveInbound(bench.sandbox.world, { ...whatsApp, destination, text: 'Hello' });
		const { content } = await review({ ...whatsApp, header: '{toolCallId}', footer: '{link}' });
		expect(content).toMatchObject({ header: { text: '{toolCallId}' }, footer: { text: '{link}' } });
	});

	test.each<INodeParameters>([
		{ contentFormat: 'json', content: '{ "text": "Agree? {link}" }' },
		{ contentFormat: 'fields', contentFields: { field: [{ name: 'text', value: 'Agree?' }] } },
	])('%j would leave out what the agent wants to do: nothing is sent', async (content) => {
		const { error } = await review(content);
		expect(error?.message).toContain("'Content' must be 'Text' in a human review");
		expect(await bench.everything()).toEqual([]);
	});
});

describe('opening the link', () => {
	const shownIn = (html: string) => html.match(/<(?:button|h1)[^>]*>[^<]*/g)?.slice(1);
	const button = (value: string) =>
		`<button name="reply" value="${value}"${value === 'decline' ? ' class="other"' : ''} dir="auto">`;

	test('shows the question and two buttons, and answers nothing', async () => {
		const asked = await ask(asking('approval', { message: 'A & <b>B</b>? {link}' }));
		const { status, html, headers, resumedWith } = await visit(asked);
		expect([status, resumedWith]).toEqual([200, undefined]);
		expect(html).toContain('A &#38; &#60;b&#62;B&#60;/b&#62;?');
		expect(shownIn(html)).toEqual([`${button('approve')}Approve`, `${button('decline')}Decline`]);
		expect(html).not.toContain('<script');
		expect(headers).toMatchObject({
			'Cache-Control': 'no-store',
			'Content-Security-Policy': expect.stringContaining("default-src 'none'") as string,
		});
	});

	test('one button with a label of its own', async () => {
		const values = { approvalType: 'single', approveLabel: '<Да>' };
		const asked = await ask(asking('approval', { approvalOptions: { values } }));
		const { html } = await visit(asked);
		expect(shownIn(html)).toEqual([`${button('approve')}&#60;Да&#62;`]);
		const declined = await visit(asked, { method: 'POST', body: { reply: 'decline' } });
		expect(declined.resumedWith).toBeUndefined();
	});

	test('tolerates what a workflow written by hand may have: numbers, another case', async () => {
		const values = { approveLabel: 1, approvalType: 'Double' };
		const pageTexts = { responseFormTitle: 3 };
		const asked = await ask(asking('approval', { approvalOptions: { values }, pageTexts }));
		const { html, resumedWith } = await visit(asked);
		expect(resumedWith).toBeUndefined();
		expect(html).toContain('<h1 id="title" dir="auto">3<');
		expect(shownIn(html)).toEqual([`${button('approve')}1`, `${button('decline')}Decline`]);
	});

	test.each<['approval' | 'freeText', string]>([
		['freeText', '<textarea name="reply" maxlength="4000"'],
		['freeText', '<p id="limit">max. 4,000</p>'],
		// It doesn't claim to know the direction and the language of the question.
		['approval', '<p class="message" dir="auto" lang="">Send to 3,000 people?</p>'],
	])('%s shows %s', async (responseType, shown) => {
		expect((await visit(await ask(asking(responseType)))).html).toContain(shown);
	});

	test.each<[string, string, string]>([
		['its caption', '{ "image": "x", "caption": "Agree?", "url": "{link}" }', 'Agree?'],
		['its header', '{ "header": { "text": "Agree?" }, "url": "{link}" }', 'Agree?'],
		['its header, not the link', '{ "text": "{link}", "header": "Agree?" }', 'Agree?'],
		['a neutral sentence', '{ "image": "x", "url": "{link}" }', 'The question is in the message'],
	])('shows of content without a text: %s', async (_, content, shown) => {
		const asked = await ask(asking('approval', { ...viber, contentFormat: 'json', content }));
		const { html } = await visit(asked);
		expect(html).toMatch(new RegExp(`<p[^>]*>${shown.replaceAll('?', '\\?')}[^<]*</p>`));
	});

	test('speaks the language of the page texts', async () => {
		const pageTexts = {
			language: 'de',
			responseFormTitle: '<Ihre Antwort>',
			responseFormButtonLabel: 'Senden',
			thanksTitle: 'Danke',
			overTitle: 'Schon beantwortet',
		};
		const asked = await ask(asking('freeText', { pageTexts }));
		const { html } = await visit(asked);
		expect(html).toContain('<html lang="de">');
		expect(html).toContain('&#60;Ihre Antwort&#62;</h1>');
		expect(html).toContain('Senden</button>');
		const thanks = await visit(asked, { method: 'POST', body: { reply: 'Ja' } });
		expect(thanks.html).toMatch(/lang="de"[^]*Danke<\/h1>/);
		const over = await visit({ ...asked, stored: {} });
		expect(over.html).toMatch(/lang="de"[^]*Schon beantwortet<\/h1>/);
	});
});

describe('the answer', () => {
	test.each([
		['approve', true, 'approved'],
		['decline', false, 'declined'],
	])('%s: the execution goes on with data.approved: %s', async (answer, approved, outcome) => {
		const asked = await ask(asking('approval'));
		const { html, resumedWith } = await visit(asked, { method: 'POST', body: { reply: answer } });
		expect(html).toContain('Thank you');
		expect(resumedWith).toEqual({
			destination: numberOf(0),
			outcome,
			data: { approved },
			text: 'Send to 3,000 people?',
			channelType: 'SMS',
			occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
			externalMessageId: asked.message?.single?.externalMessageId,
			messageUuid: asked.message?.uuid,
		});
	});

	test('a text: the execution goes on with data.text', async () => {
		const asked = await ask(asking('freeText'));
		const body = { reply: ' Tomorrow <at> ten ' };
		const { html, resumedWith } = await visit(asked, { method: 'POST', body });
		expect(resumedWith).toMatchObject({ outcome: 'replied', data: { text: 'Tomorrow <at> ten' } });
		expect(html).toContain('Tomorrow &#60;at&#62; ten');
	});

	test.each([
		[4_000, 'replied'],
		[4_001, undefined],
	])('a text of %d characters, of which a line break is one: %s', async (length, outcome) => {
		const asked = await ask(asking('freeText'));
		const reply = `${'x'.repeat(length - 2)}\r\nx`;
		const { html, resumedWith } = await visit(asked, { method: 'POST', body: { reply } });
		expect(resumedWith?.outcome).toBe(outcome);
		// What the person wrote isn't lost.
		expect(html).toContain('x'.repeat(length - 2));
		if (outcome === undefined) expect(html).toContain('<p id="limit">4,001 / max. 4,000</p>');
	});

	test.each<['approval' | 'freeText', IDataObject]>([
		['approval', {}],
		['approval', { reply: 'APPROVE' }],
		['approval', { reply: ['approve'] as string[] }],
		['approval', { approved: 'true' }],
		['freeText', {}],
		['freeText', { reply: ' \n' }],
		['freeText', { reply: { text: 'x' } }],
	])('%s by %j: the page is shown again, and nothing is answered', async (responseType, body) => {
		const asked = await ask(asking(responseType));
		const { status, html, resumedWith } = await visit(asked, { method: 'POST', body });
		expect([status, resumedWith]).toEqual([200, undefined]);
		expect(html).toContain('Your reply is needed');
	});

	const idIn = (link: string) => new URL(link).searchParams.get('ask');
	test.each<[string, (link: string) => string]>([
		['no signature', (link) => link.replace(/signature=\w+/, '')],
		['another signature', (link) => link.replace(/signature=\w+/, `signature=${'a'.repeat(64)}`)],
		['another message', (link) => link.replace(/ask=[^&]+/, 'ask=another')],
		['the use of a callback', (link) => link.replace('ask=', 'reportAsked=')],
		['two uses', (link) => `${link}&report=${idIn(link)}`],
	])('by a link with %s: 401, and nothing is answered', async (_, forge) => {
		const asked = await ask(asking('approval'));
		expect(await visit(asked, { ...approve, url: forge(asked.link) })).toMatchObject(refused);
	});

	test('by the link of another execution: 401', async () => {
		const asked = await ask(asking('approval'));
		expect(await visit(asked, { ...approve, ofExecution: 'e2' })).toMatchObject(refused);
	});

	test("by the service's callback URL: nothing is approved", async () => {
		const asked = await ask(asking('approval'));
		const url = String(asked.message?.single?.callbackUrl);
		expect((await visit(asked, { ...approve, url })).resumedWith).toBeUndefined();
		const asLink = { ...approve, url: url.replace('reportAsked=', 'ask=') };
		expect(await visit(asked, asLink)).toMatchObject(refused);
	});

	test('by the link of an earlier message of the same execution: it is over', async () => {
		const first = await ask(asking('approval'));
		const second = await ask(asking('approval'));
		const visited = await visit({ ...second, link: first.link }, approve);
		expect(visited).toMatchObject(isOver);
		expect(visited.html).toContain('already replied');
	});

	test('to an earlier message with the same custom message ID: it is over, and its report too', async () => {
		const options = { usedBefore: 'sendAnyway' };
		const parameters = asking('approval', { externalMessageId: 'same', options });
		const first = await ask(parameters);
		const second = await ask(parameters);
		expect(await visit({ ...second, link: first.link }, approve)).toMatchObject(isOver);
		const body = { external_message_id: 'same', status: 'undelivered' };
		const url = String(first.message?.single?.callbackUrl);
		const late = await visit(second, { method: 'POST', body, url });
		expect([late.status, late.resumedWith]).toEqual([200, undefined]);
		expect((await visit(second, approve)).resumedWith).toMatchObject({ outcome: 'approved' });
	});

	test('to an execution that waits only for delivery: it is over', async () => {
		const asked = await ask(asking('approval'));
		const parameters = { ...asked.parameters, responseType: 'delivery' };
		expect(await visit({ ...asked, parameters }, approve)).toMatchObject(isOver);
	});
});

describe('nobody answers', () => {
	test('until the time is over: nothing is approved', async () => {
		const { stored } = await ask(asking('approval'));
		expect(stored).toMatchObject({ outcome: 'timeout', data: { approved: false } });
	});

	/** The service reports this status. */
	const report = async (asked: Asked, status: string) =>
		await visit(asked, {
			method: 'POST',
			body: { status, error_code: 453, message_uuid: asked.message?.uuid },
			url: String(asked.message?.single?.callbackUrl),
		});

	test('because the message is not delivered: the execution goes on, and nothing is approved', async () => {
		const { resumedWith } = await report(await ask(asking('approval')), 'undelivered');
		expect(resumedWith).toMatchObject({ outcome: 'failed', data: { approved: false } });
	});

	test.each(['sent', 'delivered', 'read', 'unread'])('but it is %s: waits', async (status) => {
		expect((await report(await ask(asking('freeText')), status)).resumedWith).toBeUndefined();
	});

	test('and the user wants to keep waiting: a report changes nothing', async () => {
		const asked = await ask(asking('approval', { options: { whenUndelivered: 'wait' } }));
		const { status, resumedWith } = await report(asked, 'undelivered');
		expect([asked.isWaiting, status, resumedWith]).toEqual([true, 200, undefined]);
	});
});

test.each<[INodeParameters, string]>([
	[{ contentFormat: 'json', content: '{ "image": "x" }' }, "'Content' needs {link}"],
	[{ channelType: '={{ "FLASHCALL" }}', message: '1234' }, "'Channel' can't be a call"],
	...['callbackEvents', 'content', 'channelType'].map((name): [INodeParameters, string] => [
		{ options: { additionalFields: JSON.stringify({ [name]: 'x' }) } },
		`can't replace ${name}`,
	]),
	// Nobody reports that an SMS was read.
	[{ channelType: '={{ "SMS" }}', responseType: 'reading' }, "'Wait For' can't be 'Read'"],
	[{ channelType: '={{ "sms" }}', responseType: 'reading' }, "'Wait For' can't be 'Read'"],
	// The page wouldn't recognize these.
	[{ responseType: 'Approval' }, "'Wait For' must be written as"],
	[{ responseType: 'FREETEXT' }, "'Wait For' must be written as"],
])('%j: nothing is sent', async (more, words) => {
	const { error } = await ask(asking('approval', more));
	expect(error?.message).toContain(words);
	expect(await bench.everything()).toEqual([]);
});

test("the panel of 'Wait at Most (Hours)' accepts what the node accepts", () => {
	const { properties } = new BulkMessaging().description;
	const { typeOptions } = properties.find(({ name }) => name === 'limitHours') ?? {};
	expect(typeOptions).toEqual({ minValue: 0.001, maxValue: 8_760 });
});

test('the same question twice: the second has a hint, although its link is another one', async () => {
	const parameters = asking('approval', { message: 'Only here?' });
	const first = await ask(parameters);
	const second = await ask(parameters);
	expect([first.hints, second.hints]).toEqual([
		'',
		expect.stringContaining('the same phone number and text'),
	]);
});

describe('who reads the message cannot reply to it', () => {
	test.each([
		[true, true],
		[true, false],
		[false, true],
		[false, false],
	])('Shorten Links %s, Simplify %s', async (shortUrl, simplify) => {
		for (const whenUndelivered of ['continue', 'wait']) {
			const asked = await ask(asking('approval', { options: { shortUrl, whenUndelivered } }));
			const [link] = asked.message?.single?.links ?? [];
			for (const operation of ['message.get', 'message.getAll']) {
				const { items, run } = await bench.run(operation, {
					message_uuid: asked.message?.uuid,
					filters: { dispatch: false },
					simplify,
				});
				expect(items.map(({ json }) => json.messageUuid)).toContain(asked.message?.uuid);
				const all = JSON.stringify(run);
				expect(all).toContain('Send to 3,000 people?\\n…');
				expect(all).not.toContain(asked.link);
				expect(all).not.toMatch(/signature=(?!\*)/);
				if (shortUrl) expect(all).not.toContain(link?.shortUrl ?? 'none');
			}
		}
	});
});

describe('the node continues on errors, and the item has the reply to an earlier message', () => {
	const earlier = { data: { approved: true }, outcome: 'approved', name: 'Anna' };
	const runOn = async (onError: OnError, more: INodeParameters, items = [earlier]) =>
		await runNode({
			node: new BulkMessaging(),
			parameters: asking('approval', more),
			items,
			credentials: bench.credentials(),
			onError,
		});
	const fail = async (more: INodeParameters, items?: Array<typeof earlier>) =>
		jsonOf((await runOn('continueRegularOutput', more, items)).items);

	test.each<[string, INodeParameters]>([
		['content without {link}', { contentFormat: 'json', content: '{ "image": "x" }' }],
		['no time to wait', { limitHours: 0 }],
		['no number', { destination: 'nobody' }],
		['a sender name that the service rejects', { senderName: 'NOPE' }],
	])('%s: an error item without it', async (_, more) => {
		expect(await fail(more)).toEqual([{ name: 'Anna', error: expect.any(String) as string }]);
	});

	test('with an error output: the item there has no reply either', async () => {
		const { outputs } = await runOn('continueErrorOutput', { destination: 'nobody' });
		const error = expect.any(String) as string;
		expect(outputs).toEqual([[], [{ json: { error }, pairedItem: { item: 0 } }]]);
	});

	test('several items: an error item for each', async () => {
		const output = await fail({}, [earlier, earlier]);
		expect(output).toHaveLength(2);
		for (const json of output) expect(Object.keys(json)).toEqual(['name', 'error']);
	});

	test('an ID that was used before: an error item without it', async () => {
		const parameters = asking('approval', { externalMessageId: 'once' });
		await ask(parameters);
		expect(await fail({ externalMessageId: 'once' })).toEqual([
			{ name: 'Anna', error: expect.stringContaining('earlier run') as string },
		]);
	});

	test('a value is missing: nothing is approved', async () => {
		const message = 'Hello {nobody}';
		const options = { missingValues: 'skip' };
		expect(await fail({ message, options })).toMatchObject([
			{ outcome: 'skipped', data: { approved: false } },
		]);
	});
});
