import { startMailServer, startWebServer } from './otherServers.cts';
import { leavesTheExpensiveAlone } from './prices.cts';
import { jsonOf, type Check } from './sample.cts';

const firstDispatch: Check = async (sample) => {
	const execution = await sample.execute();
	expect(sample.dispatch('My first dispatch')?.status).toBe('COMPLETED');
	expect(sample.texts('My first dispatch')).toEqual([
		['79161234567', 'Hello Anna, your bouquet is ready: Tulips. Camomile Flowers', 'delivered'],
		['79031234567', 'Hello Boris, your bouquet is ready: Peonies. Camomile Flowers', 'delivered'],
		['79261234567', 'Hello Vera, your bouquet is ready: Camomiles. Camomile Flowers', 'delivered'],
		['79011234567', 'Hello Gleb, your bouquet is ready: Roses. Camomile Flowers', 'delivered'],
	]);
	expect(jsonOf(execution, 'Summary')).toMatchObject([
		{ result: '4 of 4 messages delivered, 0 failed, 0 still pending' },
	]);
	expect(jsonOf(execution, 'List messages')).toHaveLength(4);

	// Pressed again: nobody gets it a second time, and the rest of the workflow shows the same result.
	const again = await sample.pressedAgain('My first dispatch');
	const { id } = sample.dispatch('My first dispatch') ?? {};
	expect(jsonOf(again, 'Send dispatch')).toMatchObject([
		{
			summary: expect.stringMatching(
				`^Everybody has it already: dispatch ${id} \\(.+\\): 4 reached, 0 failed\\.$`,
			),
			recipients: 4,
			hasItAlready: 4,
			dispatchId: id,
		},
	]);
	expect(jsonOf(again, 'Summary')).toEqual(jsonOf(execution, 'Summary'));
};

const hubSpot: Check = async (sample) => {
	const { name } = sample.workflow;
	const execution = await sample.execute();
	expect(sample.texts(name)).toEqual([
		['79162000001', text('Maria', 120), 'delivered'],
		['79032000002', text('Oleg', 80), 'delivered'],
		['79262000003', text('Nina', 310), 'delivered'],
		['79012000004', text('Pavel', 45), 'delivered'],
	]);
	expect(jsonOf(execution, 'Contacts to correct')).toMatchObject([
		{ id: '55', number: '8 (916) 200-00-01', code: 'duplicate' },
		{ id: '56', number: '916 200-00', code: 'unreadableNumber' },
	]);
	expect(jsonOf(execution, 'Report')).toMatchObject([
		{ report: `${name}: 4 of 4 messages delivered, 0 failed` },
	]);
	const again = await sample.pressedAgain(name);
	expect(again.items('Contacts to correct')).toHaveLength(2);
	// The workflow's name counts for 20 hours.
	const expensive = await leavesTheExpensiveAlone(
		await sample.nextDay(),
		name,
		'Too expensive, not started',
	);
	expect(jsonOf(expensive, 'Too expensive, not started')).toMatchObject([
		{ report: expect.stringContaining("estimate is 400 RUB, but 'Price Limit' is 50 RUB") },
	]);

	function text(who: string, points: number) {
		return `${who}, your ${points} points are valid until the end of the month. Camomile Flowers`;
	}
};

const pipedrive: Check = async (sample) => {
	const name = 'Spring offer to regulars';
	const rows = async () => await sample.table('Samples: numbers to correct');
	const text = (who: string) =>
		`${who}, tulips for regulars at half price until Sunday. Camomile Flowers`;
	const rejects = [
		{ crmId: '705', number: '+7 905 300-00-02', code: 'duplicate' },
		{ crmId: '706', number: 'ask his secretary', code: 'unreadableNumber' },
	];
	const texts = [
		['79173000001', text('Denis'), 'delivered'],
		['79053000002', text('Sofia'), 'delivered'],
		['79273000003', text('Lev'), 'delivered'],
		['79043000004', text('Alisa'), 'delivered'],
	];
	await sample.execute();
	expect(sample.texts(name)).toEqual(texts);
	expect(await rows()).toMatchObject(rejects);
	await sample.pressedAgain(name);
	expect(await rows()).toMatchObject(rejects);
	expect(await rows()).toHaveLength(rejects.length);

	// Left because of its price. Run again at the usual price, a new one is sent, and the first one stays as it is.
	const later = await sample.nextDay();
	await leavesTheExpensiveAlone(later, name, 'Too expensive, not started');
	await later.execute();
	expect(sample.dispatches(name).map(({ status }) => status)).toEqual([
		'COMPLETED',
		'CREATED',
		'COMPLETED',
	]);
	expect(sample.texts(name)).toEqual(texts);
};

/** Nothing is there before the decision; then everything, or nothing. */
const approval: Check = async (sample) => {
	const name = 'Workshop on Saturday';
	const decide = async (decision: string) => {
		const { id, status, ...execution } = await sample.execute();
		expect(status).toBe('waiting');
		const [{ json }] = execution.items('Approval request');
		const body = new FormData();
		body.set('field-0', decision);
		body.set('field-1', 'Fine');
		const response = await fetch(String(json.approvalLink), { method: 'POST', body });
		expect(response.status).toBe(200);
		return { asked: json, execution: await sample.ended(id) };
	};

	const refused = await decide('Do not send');
	expect(sample.dispatch(name)).toBeUndefined();
	expect(jsonOf(refused.execution, 'Not sent')).toMatchObject([{ report: 'Not sent: Fine' }]);

	const { asked, execution } = await decide('Send');
	expect(asked.summary).toContain('3 of 4 people would get "Workshop on Saturday"');
	const text = (who: string, what: string) =>
		`${who}, see you on Saturday at 12 at the workshop: ${what}. Camomile Flowers`;
	expect(sample.texts(name)).toEqual([
		['79165000001', text('Elena', 'wreaths'), 'delivered'],
		['79035000002', text('Fedor', 'bouquets'), 'delivered'],
		['79265000003', text('Zoya', 'wreaths'), 'delivered'],
	]);
	expect(jsonOf(execution, 'Report')).toMatchObject([
		{ report: `${name}: 3 of 3 messages delivered, 0 failed, 0 pending`, approvedWith: 'Fine' },
	]);
};

interface Asked {
	filter?: unknown;
	fields?: { ENTITY_ID: number; ENTITY_TYPE: string; COMMENT: string };
}

/** First with its sample data; then against a server that answers as Bitrix24 does, in pages. */
const bitrix24: Check = async (sample) => {
	const name = 'Bitrix24: regulars';
	const text = (who: string) =>
		`${who}, peonies for regulars at half price until Sunday. Camomile Flowers`;
	const execution = await sample.execute();
	expect(sample.texts(name)).toEqual([
		['79161500001', text('Kira'), 'delivered'],
		['79031500002', text('Stepan'), 'delivered'],
		['79261500003', text('Yana'), 'delivered'],
		['79169990002', text('Roman'), 'unsent'],
	]);
	expect(jsonOf(execution, 'Write the comment')).toMatchObject([
		{ contactId: 1501, comment: `SMS delivered (79161500001): ${text('Kira')}` },
		{ contactId: 1502, comment: expect.stringMatching(/^SMS delivered/) },
		{ contactId: 1503, comment: expect.stringMatching(/^SMS delivered/) },
		{ contactId: 1504, comment: expect.stringMatching(/^SMS NOT delivered \(79169990002\)/) },
		{ contactId: 1505, comment: 'SMS not sent (none yet): "none yet" contains letters' },
	]);
	expect(jsonOf(execution, 'Add timeline comment')).toHaveLength(5);
	const again = await sample.pressedAgain(name);
	expect(jsonOf(again, 'Write the comment')).toMatchObject([{ contactId: 1505 }]);

	const contacts = Array.from({ length: 52 }, (_, index) => ({
		ID: String(index + 1),
		NAME: `Person ${index + 1}`,
		PHONE: [{ VALUE: `+7 916 155-00-${String(index).padStart(2, '0')}`, VALUE_TYPE: 'WORK' }],
	}));
	const crm = await startWebServer(({ url }) => {
		const { pathname, searchParams } = new URL(url, 'http://crm');
		if (!pathname.endsWith('/crm.contact.list.json')) return { result: 1 };
		const start = Number(searchParams.get('start'));
		const next = start + 50 < contacts.length ? { next: start + 50 } : {};
		return { result: contacts.slice(start, start + 50), ...next, total: contacts.length };
	});
	const live = await sample.connected('https://example.bitrix24.ru', crm.url, {
		// As many people cost more; and nobody waits half a minute here.
		change: (json) =>
			json
				.replace('"priceLimit":100', '"priceLimit":1000')
				.replace('"batchInterval":500', '"batchInterval":1'),
	});
	await live.execute();
	expect(sample.dispatch(name)?.messages).toHaveLength(52);
	const lists = crm.requests.filter(({ url }) => url.includes('/rest/1/SECRET/crm.contact.list'));
	expect(lists.map(({ url }) => url.split('?')[1])).toEqual(['start=0', 'start=50']);
	expect((lists[1].body as Asked).filter).toEqual({ TYPE_ID: 'CLIENT', HAS_PHONE: 'Y' });
	const comments = crm.requests
		.filter(({ url }) => url.endsWith('/crm.timeline.comment.add.json'))
		.map(({ body }) => (body as Asked).fields);
	expect(comments).toHaveLength(52);
	expect(comments[51]).toEqual({
		ENTITY_ID: 52,
		ENTITY_TYPE: 'contact',
		COMMENT: `SMS delivered (79161550051): ${text('Person 52')}`,
	});
};

/** First with its sample data; then through a mail server, to see what the mail contains. */
const mailedReport: Check = async (sample) => {
	const name = 'Opening hours';
	const execution = await sample.execute();
	expect(sample.dispatch(name)?.status).toBe('COMPLETED');
	expect(jsonOf(execution, 'Send dispatch')).toMatchObject([
		{ started: true, completed: true, recipients: 4, reached: 3, failed: 1 },
	]);
	expect(execution.items('Get report')).toMatchObject([
		{
			json: { dispatchId: sample.dispatch(name)?.id, finished: true, messages: { delivered: 3 } },
			binary: { report: { mimeType: 'text/html' } },
		},
	]);
	expect(jsonOf(execution, 'Email the report')).toMatchObject([
		{ accepted: ['owner@example.com'] },
	]);

	// Pressed again: nobody gets it twice, and the report comes again.
	const { mails, port } = await startMailServer();
	const credential = {
		id: 'sample17Smtp',
		name: 'A mail server',
		type: 'smtp',
		data: { host: '127.0.0.1', port, secure: false, disableStartTls: true, user: '', password: '' },
	};
	await sample.n8n.importCredentials([credential]);
	const live = await sample.connected('', '', {
		credentials: { 'Email the report': [credential] },
	});
	await live.pressedAgain(name);
	expect(mails).toHaveLength(1);
	expect(mails[0]).toMatch(/^Subject: Report: Opening hours\r$/m);
	expect(mails[0]).toMatch(/3 of 4/);
	expect(mails[0]).toContain(
		`Content-Disposition: attachment; filename=dispatch-${sample.dispatch(name)?.id}-report.html`,
	);
};

export const dispatchChecks: Record<string, Check> = {
	'01-first-dispatch.json': firstDispatch,
	'02-hubspot-segment.json': hubSpot,
	'03-pipedrive-segment.json': pipedrive,
	'05-approve-before-sending.json': approval,
	'15-bitrix24-segment.json': bitrix24,
	'17-send-wait-and-mail-report.json': mailedReport,
};
