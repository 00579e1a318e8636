import { messaging } from '../../core/contract/messaging';
import { mts, open, refusal } from './support.cts';

/* The calls of the messaging API that only the public reference shows, as far as the nodes' tests don't reach them. */

test("a dispatch of the website: its messages were made there, a company's by the API; nothing starts without balance", async () => {
	const { call, control, createDispatch, sandbox } = open();
	const campaign = { name: 'Tulips', text: 'Dear {name}' };
	const { dispatchId } = (await control('POST', '/website-dispatches', campaign)) as {
		dispatchId: number;
	};
	const path = { dispatchId };
	await call(messaging.dispatchAppend, { path, body: [{ destination: mts }] });
	const { id } = await createDispatch();
	const methodsIn = async (one: number) =>
		(await call(messaging.messageList, { query: { dispatch_id: [String(one)] } })).items.map(
			({ sendingMethod }) => sendingMethod,
		);
	expect(await methodsIn(dispatchId)).toEqual(['UI']);
	expect(await methodsIn(id)).toEqual(['API']);
	sandbox.world.store.funds = 0;
	expect(await refusal(call(messaging.dispatchStart, { path }))).toMatchObject({ status: 400 });
	const { items } = await call(messaging.dispatchList);
	expect(items).toMatchObject([{ dispatchId, status: 'planned' }]);
	await expect(
		control('POST', '/website-dispatches', { ...campaign, senderName: 'NOBODY' }),
	).rejects.toThrow('NOBODY');
});

test('a sender name that was created here and approved can be used', async () => {
	const { call, control } = open();
	const body = { senderName: 'TULIPS', channelType: 'VIBER' };
	const { id } = await call(messaging.senderNameCreate, { body: { body, file: [] } });
	await control('PUT', `/senders/${id}/status`, { status: 'APPROVED' });
	const content = { contentType: 'text', text: 'Hello' };
	const { errors } = await call(messaging.messageSend, {
		body: [{ ...body, destination: mts, content }],
	});
	expect(errors).toBe(false);
});
