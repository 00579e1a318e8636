import { jsonOf, type Check, type Sample } from './sample.cts';

/** Outgoing messages of the messaging API whose own ID begins like this. */
export const sentAs = ({ sandbox }: Sample, ownId: string) =>
	sandbox.store.singles.filter(
		({ single }) =>
			single?.direction === 'outbound' && single.externalMessageId?.startsWith(ownId) === true,
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
	expect(jsonOf(execution, 'Who was reached how')).toEqual([
		{ customer: 'Larisa', channel: 'VIBER', outcome: 'delivered' },
		{ customer: 'Gennady', channel: 'SMS', outcome: 'delivered' },
	]);
};

export const messageChecks: Record<string, Check> = {
	'04-deal-stage-message.json': dealStage,
	'07-viber-then-sms.json': viberThenSms,
};
