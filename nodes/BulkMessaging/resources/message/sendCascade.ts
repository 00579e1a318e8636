import { CascadeSend, messaging } from '../../../../core/contract/messaging';
import { defineOperation, type Run } from '../../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import { z } from '../../../../vendor/zod';
import { additionalFields, replacedIn, toAdditional } from '../../../shared/additionalFields';
import { channelType } from '../../../shared/channels';
import { unlistedIn } from '../../../shared/lists';
import { phoneNumber } from '../../../shared/phone';
import { checkContract, entryReader, type EntryOptions } from './entries';
import { contentParams, ownId, senderName, toContent, writtenText } from './params/content';
import { cascadeOptions, sendingMode } from './params/options';
import { sendEntries, sentItem } from './sendEntries';
import { bracesIn, textFiller } from './texts';

const continueWhen = {
	displayName: 'Continue When',
	name: 'condition',
	type: 'options',
	options: [
		{ name: 'Not Delivered', value: 'not_delivered' },
		{ name: 'Not Read', value: 'not_read' },
		{ name: 'Not Set', value: '', description: 'The service decides' },
	],
	allowArbitraryValues: true,
	default: 'not_delivered',
	description: 'When to send the next step. Not sent for the last step.',
} as const satisfies Param;

const stepParams = [
	channelType,
	senderName,
	...contentParams,
	continueWhen,
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

const cascadeId = {
	...ownId,
	description:
		'Your reference, up to 100 characters. The service documents it for single messages only and may not keep it for a cascade.',
} as const satisfies Param;

const cascadeParams = [phoneNumber, stepsParam, cascadeId] as const satisfies readonly Param[];

type CascadeValues = ValuesOf<typeof cascadeParams>;
type StepValues = Partial<ValuesOf<typeof stepParams>>;

/** In a cascade, the content is an object on every channel: `{text}` where a single message is a plain string. */
const toStepContent = (channel: string, step: StepValues) => {
	const content = toContent(channel, step);
	return typeof content === 'string' && step.contentFormat !== 'json' ? { text: content } : content;
};

const toStep = (step: StepValues, index: number, { length }: readonly StepValues[]) => {
	const additional = toAdditional(step.additionalFields);
	const own = step.channelType ?? channelType.default;
	const fields = {
		channelType: own,
		senderName: step.senderName ?? '',
		content:
			additional.content === undefined
				? toStepContent(String(additional.channelType ?? own), step)
				: '(replaced)',
		// Nothing follows the last step.
		condition: index < length - 1 ? step.condition || undefined : undefined,
		ttl: step.ttl || undefined,
	};
	const hints = [...replacedIn(additional, fields), ...unlistedIn(continueWhen, fields.condition)];
	return { step: { ...fields, ...additional }, hints };
};

const toCascadeBody = (
	destination: string,
	steps: readonly StepValues[],
	{ wire, additional }: EntryOptions,
	externalMessageId: string | undefined,
) => {
	const sent = steps.map(toStep);
	const own = {
		...wire,
		destination,
		cascade: sent.map(({ step }) => step),
		...(externalMessageId !== undefined && { externalMessageId }),
	};
	const body: z.input<typeof CascadeSend> = {
		...own,
		...additional,
		destination,
		callbackUrl: wire.callbackUrl,
	};
	checkContract(CascadeSend, body);
	const hints = [
		...replacedIn(additional, own, ['destination']),
		...sent.flatMap((one) => one.hints),
	];
	return { body, hints };
};

/** What all items share about a step. */
const readerOfStep = (run: Run<unknown>, step: number) => {
	const place = `of step ${step + 1}`;
	const readerOf = ({ name }: Param) => run.readerOf(stepsParam, 'step', String(step), name);
	const { isFixed } = readerOf(additionalFields);
	return {
		fill: textFiller(run, readerOf, place),
		bracesIn: (additional: unknown) => bracesIn(toAdditional(additional), isFixed, place),
	};
};

/** Returns a function that makes a cascade from an item. */
const cascadeReader = (run: Run<unknown>) => {
	const known: Array<ReturnType<typeof readerOfStep>> = [];
	const readerOf = (step: number) => (known[step] ??= readerOfStep(run, step));
	const stepsOf = ({ cascade }: CascadeValues) => cascade.step ?? [];
	return entryReader<CascadeValues>(run, {
		read: run.reader(cascadeParams).at,
		optionsParam: cascadeOptions,
		fill: (values, itemIndex) =>
			stepsOf(values).map((step, index) => readerOf(index).fill(step, itemIndex)),
		show: (values) => ({ steps: stepsOf(values).length }),
		toBody: (values, filled, { destination, options, given }) => {
			const steps = stepsOf(values);
			const withTexts = steps.map((step, index) => ({
				...step,
				...filled[index]?.values,
				text: filled[index]?.text,
			}));
			const braces = steps.map((step, index) => readerOf(index).bracesIn(step.additionalFields));
			return {
				...toCascadeBody(destination, withTexts, options, given),
				braces: braces.find((found) => found !== undefined),
			};
		},
	});
};

const stepsIn = ({ cascade }: Readonly<Record<string, unknown>>) =>
	(Array.isArray(cascade) ? cascade : []) as Array<{ content?: unknown }>;

export const sendCascade = defineOperation({
	value: 'sendCascade',
	name: 'Send Cascade',
	action: 'Send cascade of messages',
	description:
		"Try several channels one after another for each item, for example Viber first and SMS if it isn't delivered. This costs money.",
	output: sentItem({ steps: z.number() }),
	restsOn: messaging.cascadeSend,
	params: [phoneNumber, stepsParam, sendingMode, cascadeId, cascadeOptions],
	execute: async (run) =>
		await sendEntries(run, cascadeReader(run), {
			endpoint: messaging.cascadeSend,
			optionsParam: cascadeOptions,
			show: (body) => ({ steps: stepsIn(body).length }),
			preview: (body) => ({
				texts: stepsIn(body).map(({ content }) => writtenText(content) ?? ''),
			}),
		}),
});
