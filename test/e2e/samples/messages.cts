import type { Workflow } from '../support/n8n.cts';
import { startWebServer } from './otherServers.cts';
import { jsonOf, type Check, type Sample } from './sample.cts';

/** Outgoing messages of the messaging API whose custom message ID starts with this. */
export const sentAs = ({ sandbox }: Sample, customId: string) =>
	sandbox.store.singles.filter(
		({ single }) =>
			single?.direction === 'outbound' && single.externalMessageId?.startsWith(customId) === true,
	);

/** The CRM reports the same change twice: one message, one note. */
const dealStage: Check = async (sample) => {
	const report = async () => {
		const { id } = await sample.execute();
		await sample.ended(id);
		expect(sentAs(sample, 'deal-1701-ready')).toMatchObject([
			{
				destination: '79164000001',
				text: 'Ksenia, your order "Wedding flowers" is ready for pickup. Camomile Flowers',
				state: 'delivered',
			},
		]);
		expect(await sample.table('Samples: deal notes')).toMatchObject([
			{ deal: 1701, note: 'SMS "ready for pickup" delivered (79164000001)' },
		]);
	};
	await report();
	await report();
};

const viberThenSms: Check = async (sample) => {
	const { id } = await sample.execute();
	const execution = await sample.ended(id);
	const sent = sentAs(sample, 'order-');
	expect(sent.map(({ destination, single, state }) => [destination, single?.channelType, state]))
		// Larisa gets no SMS.
		.toEqual([
			['79167000001', 'VIBER', 'delivered'],
			['79169990005', 'VIBER', 'unsent'],
			['79169990005', 'SMS', 'delivered'],
		]);
	expect(sent[2]?.text).toBe('Gennady, your order A-72 is ready. Camomile Flowers');
	expect(jsonOf(execution, 'All results')).toEqual([
		{ customer: 'Larisa', channel: 'VIBER', outcome: 'delivered' },
		{ customer: 'Gennady', channel: 'SMS', outcome: 'delivered' },
	]);

	// A message whose result isn't known in time may have been delivered.
	const late = await sample.connected('', '', {
		change: (json) => {
			const workflow = JSON.parse(json) as Workflow;
			const result = { outcome: 'timeout', channelType: 'VIBER' };
			return JSON.stringify({ ...workflow, pinData: { 'Try Viber': [{ json: result }] } });
		},
	});
	const { id: lateId } = await late.execute();
	expect(jsonOf(await late.ended(lateId), 'All results')).toEqual(
		['Larisa', 'Gennady'].map((customer) => ({ customer, channel: 'VIBER', outcome: 'timeout' })),
	);
	expect(sentAs(late, 'order-')).toHaveLength(sent.length);
};

/** First with its sample data; then as amoCRM calls it, against a server that answers as amoCRM does. */
const amoCrm: Check = async (sample) => {
	const text = 'Alina, your order "Wedding flowers" is ready for pickup. Camomile Flowers';
	const first = await sample.execute();
	expect(sentAs(sample, 'amo-')).toMatchObject([{ destination: '79161600001', text }]);
	expect(jsonOf(first, 'Write the note')).toEqual([
		{ lead: 16001, note: 'SMS "ready for pickup" sent to 79161600001' },
	]);
	expect(jsonOf(first, 'Add note in amoCRM')).toHaveLength(1);
	// The hook comes again: no second message, no second note.
	const second = await sample.execute();
	expect(jsonOf(second, 'Send message')).toMatchObject([{ alreadySent: true }]);
	expect(jsonOf(second, 'Add note in amoCRM')).toEqual([]);
	expect(sentAs(sample, 'amo-')).toHaveLength(1);

	const { pinData = {} } = sample.workflow;
	const [lead, contact, note] = ['Get lead', 'Get main contact', 'Add note in amoCRM'].map(
		(name) => pinData[name][0].json,
	);
	const crm = await startWebServer(({ method, url }) => {
		if (method === 'POST') return note;
		return url.includes('/leads/') ? lead : contact;
	});
	const [token, login] = [
		{
			id: 'sample16Token',
			name: 'amoCRM',
			type: 'httpHeaderAuth',
			data: { name: 'Authorization', value: 'Bearer a-token' },
		},
		{
			id: 'sample16Login',
			name: 'Hook of amoCRM',
			type: 'httpBasicAuth',
			data: { user: 'amo', password: 'hook' },
		},
	];
	await sample.n8n.importCredentials([token, login]);
	const live = await sample.connected('https://example.amocrm.ru', crm.url, {
		credentials: {
			'When a lead changes stage': [login],
			'Get lead': [token],
			'Get main contact': [token],
			'Add note in amoCRM': [token],
		},
	});
	await live.n8n.publish(live.workflow.id);
	const report = async (id: string, status: string) => {
		const body = new URLSearchParams({
			'leads[status][0][id]': id,
			'leads[status][0][status_id]': status,
			'leads[status][0][pipeline_id]': '7450016',
			'account[subdomain]': 'example',
		});
		const authorization = `Basic ${Buffer.from('amo:hook').toString('base64')}`;
		const url = `${live.n8n.url}/webhook/amocrm-lead-stage`;
		const response = await fetch(url, { method: 'POST', headers: { authorization }, body });
		expect(response.status).toBe(200);
	};
	await report('16077', '61230012');
	await report('16077', '61230016');
	await live.until(async () => crm.requests.some(({ method }) => method === 'POST'));
	await report('16077', '61230016');
	await live.until(async () => (await live.n8n.executions(live.workflow.id)).length === 3);
	await live.triggered();
	expect(sentAs(live, 'amo-16077')).toMatchObject([{ destination: '79161600001', text }]);
	const asked = crm.requests.map(({ method, url }) => `${method} ${url}`);
	const look = ['GET /api/v4/leads/16077?with=contacts', 'GET /api/v4/contacts/26001'];
	expect(asked).toEqual([...look, 'POST /api/v4/leads/notes', ...look]);
	expect(crm.requests.map(({ authorization }) => authorization)).toEqual(
		asked.map(() => 'Bearer a-token'),
	);
	expect(crm.requests[2].body).toEqual([
		{
			entity_id: 16077,
			note_type: 'common',
			params: { text: 'SMS "ready for pickup" sent to 79161600001' },
		},
	]);
};

export const messageChecks: Record<string, Check> = {
	'04-deal-stage-message.json': dealStage,
	'07-viber-then-sms.json': viberThenSms,
	'16-amocrm-stage-message.json': amoCrm,
};
