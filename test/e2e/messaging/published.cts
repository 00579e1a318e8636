import { demo } from '../../../sandbox/demo.cts';
import { messagingStep, toFile, fields, type Step } from '../support/step.cts';

const { numbers, templates } = demo;
const start = 'Start';
const ofDispatch = { dispatchId: '={{ $json.dispatchId }}' };

/** The operations that only the public reference shows. */
export const publishedSteps: Step[] = [
	messagingStep(
		'dispatch.getAll',
		'Dispatches',
		{ filters: { dispatch_name: 'Tulips' } },
		({ json }) => expect(json).toMatchObject([{ name: 'Tulips', status: 'planned' }]),
		{ after: start },
	),
	messagingStep('dispatch.get', 'Dispatch', ofDispatch, ({ json }) =>
		expect(json).toMatchObject([{ name: 'Tulips', text: 'Dear {name}, hello' }]),
	),
	messagingStep(
		'dispatch.addMessages',
		'Add to dispatch',
		{
			...ofDispatch,
			// It is delivered late, so the dispatch is still being sent when it is stopped.
			destination: numbers.slow,
			substitutions: { placeholder: [{ name: 'name', value: '={{ "Anna" }}' }] },
		},
		({ json, store }) => {
			expect(json).toMatchObject([{ notStarted: 1, failed: 0, alreadyInDispatch: 0 }]);
			const { messages } = store.dispatches.get(Number(json[0]?.dispatchId)) ?? {};
			expect(messages).toMatchObject([{ destination: numbers.slow, text: 'Dear Anna, hello' }]);
		},
	),
	messagingStep('dispatch.start', 'Start dispatch', ofDispatch, ({ json }) =>
		expect(json).toMatchObject([{ started: true }]),
	),
	messagingStep('dispatch.stop', 'Stop dispatch', ofDispatch, ({ json, store }) => {
		expect(json).toMatchObject([{ stopped: true }]);
		expect(store.dispatches.get(Number(json[0]?.dispatchId))?.status).toBe('STOPPED');
	}),

	messagingStep(
		'verification.reportFlashCall',
		'Report flash call',
		{ messageUuid: '={{ $json.messageUuid }}', result: 'NUMBER_VERIFIERD', code: '4821' },
		({ json, store }) => {
			expect(json).toMatchObject([{ reported: true }, { reported: true }, { reported: true }]);
			expect(store.flashCallResults.size).toBe(3);
		},
		{ after: 'Send' },
	),

	messagingStep(
		'template.getAll',
		'Templates',
		{ template_id: String(templates.inReview) },
		({ json }) => expect(json).toMatchObject([{ id: templates.inReview, channelType: 'SMS' }]),
		{ after: start },
	),
	messagingStep('template.get', 'Template', { template_id: '={{ $json.id }}' }, ({ json }) =>
		expect(json).toMatchObject([{ pattern: 'Your order %w is ready' }]),
	),
	messagingStep(
		'template.update',
		'Change template',
		{ template_id: '={{ $json.id }}', updateFields: { pattern: 'Your parcel %w is ready' } },
		({ json, store }) => {
			expect(json).toMatchObject([{ pattern: 'Your parcel %w is ready' }]);
			expect(store.templates.get(templates.inReview)?.pattern).toBe('Your parcel %w is ready');
		},
	),

	fields('A letter', { content: Buffer.from('%PDF-1.7').toString('base64') }, { after: start }),
	toFile('Letter as a file', 'content', 'letter.pdf', 'letter'),
	messagingStep(
		'senderName.create',
		'Create name',
		{
			senderName: 'STORY',
			channelType: 'SMS',
			brand: 'TELE2',
			commonType: 'PROMO',
			binaryPropertyNames: 'letter',
		},
		({ json, store }) => {
			expect(json).toMatchObject([{ senderName: 'STORY', status: 'DRAFT' }]);
			expect(store.senders.get(Number(json[0]?.id))?.documentIds).toEqual(['file1']);
		},
	),
	messagingStep(
		'senderName.getAll',
		'Names',
		{ returnAll: true, filters: { channel_type: 'SMS' } },
		({ json }) => expect(json).toContainEqual(expect.objectContaining({ senderName: 'STORY' })),
	),
];
