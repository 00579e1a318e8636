import { CascadeSend, messaging } from '../../../../core/contract/messaging';
import { defineOperation } from '../../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import { z } from '../../../../vendor/zod';
import { checkCallback } from '../../../shared/callbackCheck';
import { readCallbackUrl } from '../../../shared/callbackParams';
import { channelType } from '../../../shared/channels';
import { requireDigits } from '../../../shared/phone';
import { contentParams, toContent } from './params/content';
import { additionalFields, toAdditional } from '../../shared/additionalFields';
import { callbackOptions, usedBefore } from './params/options';
import { givenId, hold, ownIdRegister, protectCallbacks, readEntries } from './entries';
import { ownId, recipientParams, senderName } from './params/recipient';
import { confirmation, deliverItems } from './delivery/deliverItems';

const stepParams = [
	channelType,
	senderName,
	...contentParams,
	{
		displayName: 'Go On When',
		name: 'condition',
		type: 'options',
		options: [
			{ name: 'Not Delivered', value: 'not_delivered' },
			{ name: 'Not Read', value: 'not_read' },
			{ name: 'Not Set', value: '', description: 'Left to the service' },
		],
		default: 'not_delivered',
		description: 'When the next step is sent. It says nothing for the last one.',
	},
	{
		displayName: 'Time to Live (Seconds)',
		name: 'ttl',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 86_400 },
		default: 0,
		description: 'How long this step is tried before the next one; 0 leaves it to the service',
	},
] as const satisfies readonly Param[];

const cascadeParams = [
	...recipientParams,
	{
		displayName: 'Steps',
		name: 'cascade',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add Step',
		default: {},
		required: true,
		description: 'Messages that are tried one after the other',
		options: [{ displayName: 'Step', name: 'step', values: stepParams }],
	},
	{
		...ownId,
		description:
			'An ID of yours, up to 100 characters. It is sent along only when you fill it in: the service names own IDs for single messages, and may not keep that of a cascade.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [additionalFields, ...callbackOptions, usedBefore],
	},
] as const satisfies readonly Param[];

type CascadeValues = ValuesOf<typeof cascadeParams>;

const toStep = (step: Partial<ValuesOf<typeof stepParams>>) => {
	const channel = step.channelType ?? channelType.default;
	return {
		channelType: channel,
		senderName: step.senderName ?? '',
		content: toContent(channel, step),
		condition: step.condition || undefined,
		ttl: step.ttl || undefined,
	};
};

const toCascadeBody = (
	{ destination, defaultCountry, cascade, options }: CascadeValues,
	externalMessageId: string | undefined,
): z.input<typeof CascadeSend> => {
	const callbackUrl = readCallbackUrl(options.callbackUrl);
	const body = {
		...toAdditional(options.additionalFields, { ...CascadeSend.shape, externalMessageId: '' }),
		destination: requireDigits(destination, defaultCountry, recipientParams[0].displayName),
		callbackUrl,
		callbackEvents: callbackUrl === undefined ? undefined : options.callbackEvents,
		cascade: (cascade.step ?? []).map(toStep),
		...(externalMessageId !== undefined && { externalMessageId }),
	};
	hold(CascadeSend, body);
	return body;
};

const SentCascade = z.object({
	messageUuid: z.string(),
	externalMessageId: z.string(),
	destination: z.string(),
	steps: z.number(),
	accepted: z.boolean(),
	confirmed: z.boolean(),
	alreadySent: z.boolean(),
});

export const sendCascade = defineOperation({
	value: 'sendCascade',
	name: 'Send Cascade',
	action: 'Send cascade of messages',
	description:
		'Try several channels one after the other for every item, such as VIBER first and SMS when it is not delivered. This costs money.',
	output: SentCascade,
	params: cascadeParams,
	execute: async (run) => {
		const read = run.reader(cascadeParams);
		const register = ownIdRegister();
		const { entries, output } = readEntries(run, (itemIndex) => {
			const values = read(itemIndex);
			const id = givenId(values);
			const body = toCascadeBody(values, id);
			const { usedBefore: used = 'skip', callbackAuthentication } = values.options;
			checkCallback(run.context, body.callbackUrl, callbackAuthentication);
			if (id !== undefined) register(id, itemIndex);
			const isGiven = id !== undefined;
			return { itemIndex, ownId: id, isGiven, usedBefore: used, callbackAuthentication, body };
		});
		const secrets = await protectCallbacks(run, entries);
		return await deliverItems(
			output,
			run,
			entries,
			// Nothing shows for certain that a cascade is not there: one of unknown outcome is never sent again.
			{ endpoint: messaging.cascadeSend, canBeSettled: false, secrets },
			({ body, ownId: id }, fate) => ({
				messageUuid: fate.messageUuid ?? null,
				externalMessageId: id ?? null,
				destination: body.destination,
				steps: Array.isArray(body.cascade) ? body.cascade.length : 0,
				...confirmation(fate),
				alreadySent: fate.alreadySent ?? false,
			}),
		);
	},
});
