import { demo } from '../../../sandbox/demo.cts';
import { letsNoStrangerSend } from './formVisitor.cts';
import { jsonOf, type Check, type Sample } from './sample.cts';
import { sentAs } from './messages.cts';
import { leavesTheExpensiveAlone } from './prices.cts';

/** Published; the service calls the production address, with the login of the credential. */
const deliveryResults: Check = async (sample) => {
	await sample.n8n.publish(sample.workflow.id);
	await letsNoStrangerSend(sample);
	await sample.execute();
	await sample.until(async () => (await sample.table('Samples: CRM contacts'))?.length === 3);
	const rows = await sample.table('Samples: CRM contacts');
	expect(rows?.toSorted((a, b) => Number(a.crmId) - Number(b.crmId))).toMatchObject([
		{ crmId: 601, smsStatus: 'delivered' },
		{ crmId: 602, smsStatus: 'delivered' },
		{ crmId: 603, smsStatus: 'failed' },
	]);
	const [failed] = sentAs(sample, 'crm-603-');
	await sample.until(async () => (await sample.table('Samples: follow-up'))?.length === 1);
	expect(await sample.table('Samples: follow-up')).toMatchObject([
		{ messageUuid: failed.uuid, crmId: 603, phone: demo.numbers.unsent },
	]);
	await sample.triggered();
};

/** The production URL of a sample's trigger, with the login of the credential. */
export const callbackUrl = (sample: Sample) => {
	const trigger = sample.workflow.nodes.find(({ type }) => type.endsWith('.bulkMessagingTrigger'));
	const { login, password } = sample.sandbox.credentials.callback.data;
	const url = new URL(`${sample.n8n.url}/webhook/${trigger?.webhookId}/confirmed`);
	return Object.assign(url, { username: login, password }).href;
};

const stop: Check = async (sample) => {
	const { store, control } = sample.sandbox;
	const subscribers = { leaves: '79168000002', asks: '79168000003' };
	const write = async (destination: string, text: string) =>
		await control('POST', '/inbound', { senderName: demo.senderNames.whatsapp, destination, text });
	const blocked = (number: string) => store.blacklists.get(demo.companies.flowers)?.get(number);

	await sample.n8n.publish(sample.workflow.id);
	const rule = { trafficCenterId: 1, callbackUrl: callbackUrl(sample) };
	await control('PUT', '/inbound-rules', { rules: [rule] });
	await write(subscribers.leaves, ' Стоп!');
	await write(subscribers.asks, 'When does the stop sale start?');
	const forPeople = async () =>
		(await sample.triggered()).flatMap((run) => jsonOf(run, 'Other messages'));
	await sample.until(async () => blocked(subscribers.leaves) !== undefined);
	await sample.until(async () => (await forPeople()).length > 0);
	expect(await forPeople()).toMatchObject([{ destination: subscribers.asks }]);
	expect(blocked(subscribers.leaves)).toContain('Стоп!');
	expect(blocked(subscribers.asks)).toBeUndefined();
	// The confirmation left before the number was blocked, and nobody else got one.
	expect(sentAs(sample, 'stop-')).toMatchObject([
		{ destination: subscribers.leaves, sentAt: expect.any(Number) },
	]);

	// The response doesn't show the result: the run fails, and the service sends the event again until it does.
	const unclear = '79168000004';
	sample.sandbox.sandbox.faults.add({
		kind: 'status',
		status: 200,
		headers: { 'content-type': 'application/json' },
		body: '{}',
		match: { path: '*/recipients' },
	});
	await write(unclear, 'STOP');
	await sample.until(async () => blocked(unclear) !== undefined);
	const statuses = (await sample.n8n.executions(sample.workflow.id)).map(({ status }) => status);
	expect(statuses).toContain('error');
	expect(sentAs(sample, 'stop-').filter(({ destination }) => destination === unclear)).toHaveLength(
		1,
	);

	// The sample message of the trigger, run by hand.
	await sample.execute();
	expect(blocked('79168000001')).toContain('Stop');
};

const clicks: Check = async (sample) => {
	await sample.n8n.publish(sample.workflow.id);
	await sample.execute();
	const [first, second] = sentAs(sample, 'lead-');
	const click = async (uuid: string) =>
		await sample.sandbox.control('POST', `/messages/${uuid}/click`);
	const scores = async () =>
		(await sample.table('Samples: lead scores'))?.map(({ lead, score }) => [lead, score]) ?? [];

	expect(first.text).toMatch(/^Valery, our spring catalog: http:\/\/127\.0\.0\.1:\d+\/s\/\w+$/);
	await click(first.uuid);
	await sample.until(async () => (await scores()).length === 1);
	await click(first.uuid);
	await click(second.uuid);
	const expected = [
		[1001, 20],
		[1002, 10],
	];
	await sample.until(async () => JSON.stringify(await scores()) === JSON.stringify(expected));
	await sample.triggered();
	expect(await scores()).toEqual(expected);
	expect(await sample.table('Samples: link clicks')).toHaveLength(3);
};

/** Each result finds its contact by the UUID of the message, which was kept before the dispatch was started. */
const dispatchResults: Check = async (sample) => {
	const { name } = sample.workflow;
	const contacts = async () =>
		((await sample.table('Samples: CRM contacts')) ?? []).filter(
			({ crmId }) => Number(crmId) > 1400,
		);
	await sample.n8n.publish(sample.workflow.id);
	const execution = await sample.execute();
	expect(jsonOf(execution, 'Numbers to correct')).toMatchObject([
		{ crmId: 1404, outcome: 'skipped', reasonCode: 'unreadableNumber' },
	]);
	await sample.until(async () => (await contacts()).length === 3);
	const rows = await contacts();
	expect(rows.toSorted((a, b) => Number(a.crmId) - Number(b.crmId))).toMatchObject([
		{ crmId: 1401, smsStatus: 'delivered' },
		{ crmId: 1402, smsStatus: 'delivered' },
		{ crmId: 1403, smsStatus: 'failed' },
	]);
	// Deliveries come by callback. The service reports no failure of a dispatch: it is read at the end.
	expect(jsonOf(execution, 'Save failure')).toMatchObject([{ crmId: 1403 }]);
	expect(await sample.triggered()).toHaveLength(2);
	const dispatch = sample.dispatch(name);
	expect(await sample.table('Samples: dispatch messages')).toMatchObject(
		dispatch?.messages.map(({ uuid }, index) => ({
			messageUuid: uuid,
			crmId: 1401 + index,
			dispatchId: dispatch.id,
		})) ?? [],
	);
	expect(sample.texts(name)[0]?.[1]).toBe('Arina, the first tulips are here. Camomile Flowers');

	const again = await sample.pressedAgain(name, 'Create dispatch');
	expect(again.runs['Start dispatch']).toBeUndefined();
	await leavesTheExpensiveAlone(await sample.nextDay(), name, 'Created, not started');
};

export const callbackChecks: Record<string, Check> = {
	'06-delivery-results-to-crm.json': deliveryResults,
	'08-stop-by-whatsapp.json': stop,
	'10-clicks-to-lead-score.json': clicks,
	'14-dispatch-results-to-crm.json': dispatchResults,
};
