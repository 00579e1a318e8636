import { demo } from '../../../sandbox/demo.cts';
import {
	byExpression,
	fields,
	fromList,
	linksOf,
	partnerStep,
	splitOut,
	type Step,
} from '../support/step.cts';

const { flowers } = demo.companies;
const { numbers, senders } = demo;
const camomile = fromList(flowers, 'Camomile Flowers LLC');
const senderIds = [senders.mts, senders.beeline];

/** One recipient per input item, with a placeholder that is filled from the item. */
const spring = {
	companyId: camomile,
	name: 'Spring sale',
	channelType: 'SMS',
	options: { senderIds },
	text: 'Hello {name}, come in',
	recipients: 'items',
	destination: '={{ $json.phone }}',
};
const texts = ['Hello Anna, come in', 'Hello Boris, come in'];

const sent: Step[] = [
	fields(
		'Customers',
		{
			customers: [
				{ name: 'Anna', phone: '8 (916) 123-45-67' },
				{ name: 'Boris', phone: '+7 903 1234567' },
			],
		},
		{ after: 'Start' },
	),
	splitOut('Customer', 'customers'),
	partnerStep('dispatch.preview', 'Preview dispatch', spring, ({ json, items }) => {
		expect(json).toMatchObject([{ name: 'Spring sale', recipients: 2, wouldReach: 2 }]);
		expect(items.map(linksOf)).toEqual([[0, 1]]);
	}),
	partnerStep(
		'dispatch.send',
		'Send dispatch',
		spring,
		({ json, items, store }) => {
			expect(json).toMatchObject([{ started: true, recipients: 2, onTheWay: 2, failed: 0 }]);
			expect(items.map(linksOf)).toEqual([[0, 1]]);
			const made = [...store.dispatches.values()].filter(({ name }) => name === spring.name);
			expect(made).toMatchObject([{ id: json[0]?.dispatchId, companyId: flowers }]);
			expect(made[0]?.messages.map(({ text }) => text)).toEqual(texts);
		},
		{ after: 'Customer' },
	),
	partnerStep(
		'dispatch.waitForCompletion',
		'Wait for completion',
		{ id: byExpression('$json.dispatchId'), limitMinutes: 1 },
		({ json, store, of }) => {
			const { dispatchId } = of('Send dispatch')[0] ?? {};
			expect(json).toMatchObject([{ dispatchId, completed: true, stillPending: 0 }]);
			expect(store.dispatches.get(Number(dispatchId))?.status).toBe('COMPLETED');
		},
	),
	partnerStep(
		'message.getAll',
		'Get many messages',
		{
			dispatchId: byExpression('$json.dispatchId'),
			returnAll: true,
			filters: { status: 'DELIVERED' },
		},
		({ json }) =>
			expect(json).toMatchObject([
				{ destination: numbers.mts, text: texts[0] },
				{ destination: numbers.beeline, text: texts[1] },
			]),
	),
];

/** Prepared for tomorrow, started and called off. */
const calledOff: Step[] = [
	partnerStep(
		'dispatch.create',
		'Create dispatch',
		{
			companyId: camomile,
			name: 'Called off',
			channelType: 'SMS',
			text: 'Hello',
			recipients: 'json',
			messagesJson: JSON.stringify([{ destination: numbers.mts }]),
			options: {
				senderIds,
				schedule: {
					when: {
						startAt: '={{ $now.plus({ days: 2 }) }}',
						hours: Array.from({ length: 24 }, (_, hour) => hour),
						days: [1, 2, 3, 4, 5, 6, 7],
					},
				},
			},
		},
		({ json, store }) => {
			expect(json).toMatchObject([{ notStarted: 1, failed: 0 }]);
			const dispatch = store.dispatches.get(Number(json[0]?.dispatchId));
			expect(dispatch).toMatchObject({ name: 'Called off', companyId: flowers });
			expect(dispatch?.window).not.toBeNull();
		},
		{ after: 'Start' },
	),
	partnerStep(
		'dispatch.addMessages',
		'Add messages',
		{
			id: byExpression('$json.dispatchId'),
			recipients: 'define',
			messages: { recipient: [{ destination: '8 903 123 45 67', customText: 'Only for you' }] },
		},
		({ json, store, of }) => {
			const { dispatchId } = of('Create dispatch')[0] ?? {};
			expect(json).toMatchObject([{ dispatchId, notStarted: 1 }]);
			const messages = store.dispatches.get(Number(dispatchId))?.messages;
			expect(messages?.map(({ text }) => text)).toEqual(['Hello', 'Only for you']);
		},
	),
	partnerStep(
		'dispatch.start',
		'Start dispatch',
		{ id: byExpression('$json.dispatchId') },
		({ json, store, of }) => {
			const { dispatchId } = of('Create dispatch')[0] ?? {};
			expect(json).toEqual([{ dispatchId, status: 'STARTED' }]);
			expect(store.dispatches.get(Number(dispatchId))?.run).toBe(1);
		},
	),
	partnerStep(
		'dispatch.stop',
		'Stop dispatch',
		{ id: byExpression('$json.dispatchId') },
		({ json, store }) => {
			expect(json).toMatchObject([{ status: 'STOPPED' }]);
			expect(store.dispatches.get(Number(json[0]?.dispatchId))?.status).toBe('STOPPED');
		},
	),
	partnerStep(
		'dispatch.get',
		'Get dispatch',
		{ id: byExpression('$json.dispatchId') },
		({ json, of }) =>
			expect(json).toMatchObject([
				{
					dispatchId: of('Create dispatch')[0]?.dispatchId,
					name: 'Called off',
					status: 'STOPPED',
					messages: { total: 2 },
				},
			]),
	),
	partnerStep(
		'dispatch.getReport',
		'Get dispatch report',
		{ id: byExpression('$json.dispatchId'), includeHtml: true },
		({ json, of }) =>
			expect(json).toMatchObject([
				{
					dispatchId: of('Create dispatch')[0]?.dispatchId,
					finished: false,
					messages: { total: 2 },
				},
			]),
	),
	partnerStep(
		'dispatch.getAll',
		'Get many dispatches',
		{ companyId: camomile, returnAll: true, filters: { status: 'STOPPED' } },
		({ json, of }) =>
			expect(json.map(({ dispatchId }) => dispatchId)).toEqual([
				of('Create dispatch')[0]?.dispatchId,
			]),
	),
];

export const dispatchSteps: Step[] = [...sent, ...calledOff];
