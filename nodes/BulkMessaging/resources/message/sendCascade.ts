import { CascadeSend, messaging } from '../../../../core/contract/messaging';
import { defineOperation, type Run } from '../../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import { z } from '../../../../vendor/zod';
import { checkCallback } from '../../../shared/callbackCheck';
import { defaultEvents, wantedCallbackUrl } from '../../../shared/callbackParams';
import { channelType } from '../../../shared/channels';
import { phoneLabel, requireDigits } from '../../../shared/phone';
import { missingValues } from '../../../shared/placeholders';
import { contentParams, toContent } from './params/content';
import { additionalFields, replacedIn, toAdditional } from '../../../shared/additionalFields';
import { callbackOptions, cascadeOptions, usedBefore } from './params/options';
import {
	checkContract,
	givenId,
	ownIdRegister,
	protectCallbacks,
	readEntries,
	type ReadMessage,
} from './entries';
import { ownId, recipientParams, senderName } from './params/recipient';
import { unusualIn } from './unusualValues';
import { deliver } from './delivery/deliver';
import { confirmation, tell } from './delivery/tell';
import { bracesIn, notAccepted, reasonToSkip, textFiller, type SkippedMessage } from './texts';

const stepParams = [
	channelType,
	senderName,
	...contentParams,
	{
		displayName: 'Continue When',
		name: 'condition',
		type: 'options',
		options: [
			{ name: 'Not Delivered', value: 'not_delivered' },
			{ name: 'Not Read', value: 'not_read' },
			{ name: 'Not Set', value: '', description: 'The service decides' },
		],
		default: 'not_delivered',
		description: 'When to send the next step. Ignored for the last step.',
	},
	{
		displayName: 'Time to Live (Seconds)',
		name: 'ttl',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'How long the service tries this step before the next one. If 0, the service decides.',
	},
	additionalFields,
] as const satisfies readonly Param[];

const stepsParam = {
	displayName: 'Steps',
	name: 'cascade',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Step',
	default: {},
	required: true,
	description: 'Messages to try one after another',
	options: [{ displayName: 'Step', name: 'step', values: stepParams }],
} as const satisfies Param;

const optionsParam = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [additionalFields, ...callbackOptions, ...cascadeOptions, missingValues, usedBefore],
} as const satisfies Param;

const cascadeParams = [
	...recipientParams,
	stepsParam,
	{
		...ownId,
		description:
			'Your reference for this cascade, up to 100 characters. The service documents it for single messages only and may not keep it for a cascade.',
	},
	optionsParam,
] as const satisfies readonly Param[];

type CascadeValues = ValuesOf<typeof cascadeParams>;

type StepValues = Partial<ValuesOf<typeof stepParams>>;

/** In a cascade, the content is an object on every channel, even for SMS. */
const toStepContent = (channel: string, step: StepValues) => {
	const content = toContent(channel, step);
	return typeof content === 'string' && step.contentFormat !== 'json'
		? { contentType: 'text', text: content }
		: content;
};

const toStep = (step: StepValues) => {
	const additional = toAdditional(step.additionalFields);
	const own = step.channelType ?? channelType.default;
	const fields = {
		channelType: own,
		senderName: step.senderName ?? '',
		content:
			additional.content === undefined
				? toStepContent(String(additional.channelType ?? own), step)
				: '(replaced)',
		condition: step.condition || undefined,
		ttl: step.ttl || undefined,
	};
	return { step: { ...fields, ...additional }, hints: replacedIn(additional, fields) };
};

/** Fills the steps' texts. Each step has its own filler, which all items share. */
const stepFiller = (run: Run<unknown>) => {
	const fillers: Array<ReturnType<typeof textFiller>> = [];
	const fillerOf = (step: number) =>
		(fillers[step] ??= textFiller(
			run,
			({ name }) => run.readerOf(stepsParam, 'step', String(step), name),
			`of step ${step + 1}`,
		));
	return (steps: readonly StepValues[], itemIndex: number) =>
		steps.map((step, index) => fillerOf(index)(step, itemIndex));
};

const toCascadeBody = (
	destination: string,
	steps: readonly StepValues[],
	options: Omit<CascadeValues['options'], 'missingValues' | 'usedBefore'>,
	externalMessageId: string | undefined,
): { body: z.input<typeof CascadeSend>; hints: string[] } => {
	const {
		additionalFields: given,
		callbackAuthentication,
		callbackEvents = defaultEvents,
		callbackUrl: inField,
		...sending
	} = options;
	const additional = toAdditional(given);
	const callbackUrl = wantedCallbackUrl(
		{ callbackUrl: inField, callbackAuthentication },
		additional,
	);
	const sent = steps.map(toStep);
	const own = {
		...sending,
		destination,
		callbackUrl,
		callbackEvents: callbackUrl === undefined ? undefined : callbackEvents,
		cascade: sent.map(({ step }) => step),
		...(externalMessageId !== undefined && { externalMessageId }),
	};
	const body = { ...own, ...additional, destination, callbackUrl };
	checkContract(CascadeSend, body);
	const hints = [
		...replacedIn(additional, own),
		...sent.flatMap((one) => one.hints),
		...unusualIn({ externalMessageId: body.externalMessageId }),
		...body.cascade.flatMap((step) => unusualIn({ ...step, content: undefined })),
	];
	return { body, hints };
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

/** Returns a function that makes a cascade from an item. */
const cascadeReader = (
	run: Run<unknown>,
): ((itemIndex: number) => ReadMessage<SkippedMessage & { steps: number }>) => {
	const read = run.reader(cascadeParams);
	const fill = stepFiller(run);
	const register = ownIdRegister();
	const { name } = additionalFields;
	const { isFixed } = run.readerOf(optionsParam, name);
	const fixedSteps: boolean[] = [];
	const isFixedIn = (step: number) =>
		(fixedSteps[step] ??= run.readerOf(stepsParam, 'step', String(step), name).isFixed);
	return (itemIndex) => {
		const values = read(itemIndex);
		const { defaultCountry } = values;
		const {
			missingValues: whenMissing = 'stop',
			usedBefore: used = 'skip',
			...options
		} = values.options;
		const given = givenId(values);
		const additional = toAdditional(options.additionalFields);
		const destination = requireDigits(
			additional.destination ?? values.destination,
			defaultCountry,
			phoneLabel,
		);
		const steps = values.cascade.step ?? [];
		const filled = fill(steps, itemIndex);
		const detail = reasonToSkip(filled, whenMissing);
		if (detail !== undefined) {
			return { skipped: { ownId: given, destination, steps: steps.length, detail } };
		}
		const withTexts = steps.map((step, index) => ({
			...step,
			text: filled[index]?.text,
			contentFields: filled[index]?.contentFields ?? step.contentFields,
		}));
		const { body, hints } = toCascadeBody(destination, withTexts, options, given);
		const id = body.externalMessageId;
		if (id !== undefined) register(id, itemIndex);
		const { callbackAuthentication } = options;
		checkCallback(run.context, body.callbackUrl, callbackAuthentication);
		return {
			outgoing: {
				itemIndex,
				ownId: id,
				isGiven: id !== undefined,
				usedBefore: used,
				callbackAuthentication,
				body,
			},
			braces: [
				...filled.map(({ braces }) => braces),
				bracesIn(additional, isFixed),
				...steps.map((step, index) =>
					bracesIn(toAdditional(step.additionalFields), isFixedIn(index), `of step ${index + 1}`),
				),
			],
			hints,
		};
	};
};

export const sendCascade = defineOperation({
	value: 'sendCascade',
	name: 'Send Cascade',
	action: 'Send cascade of messages',
	description:
		"Try several channels one after another for each item, for example Viber first and SMS if it isn't delivered. This costs money.",
	output: SentCascade,
	restsOn: messaging.cascadeSend,
	params: cascadeParams,
	execute: async (run) => {
		const { entries, output } = readEntries(run, cascadeReader(run), (skipped) => ({
			messageUuid: null,
			externalMessageId: skipped.ownId ?? null,
			destination: skipped.destination,
			steps: skipped.steps,
			...notAccepted(skipped),
		}));
		const secrets = await protectCallbacks(run, entries);
		const outcomes = await deliver(run.context, entries, {
			endpoint: messaging.cascadeSend,
			secrets,
		});
		for (const sent of await tell(run, entries, outcomes, secrets, output)) {
			const { itemIndex, body, ownId: id } = sent.entry;
			const json = {
				messageUuid: sent.messageUuid ?? null,
				externalMessageId: id ?? null,
				destination: body.destination,
				steps: Array.isArray(body.cascade) ? body.cascade.length : 0,
				...confirmation(sent),
				alreadySent: sent.alreadySent ?? false,
			};
			output[itemIndex] = { json, pairedItem: { item: itemIndex } };
		}
		return output.filter((item) => item !== undefined);
	},
});
