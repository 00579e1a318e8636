import type { Param, ValuesOf } from '../../../../../core/engine/params';

/** Nobody reports that an SMS was read, or a call. */
const neverRead = ['SMS', 'FLASHCALL', 'VOICECODE', 'TEXT_TO_SPEECH'];
/** Nobody can tap a link in a call. */
export const calls = ['FLASHCALL', 'VOICECODE', 'TEXT_TO_SPEECH'];

const reading = {
	name: 'Read',
	value: 'reading',
	description:
		"Until the message is read, isn't read within its lifetime, or can't be delivered. Viber, VK and WhatsApp report it.",
} as const;

/** The name and the values are those of n8n's own nodes, so that its tool for human review finds them. */
const waitFor = {
	displayName: 'Wait For',
	name: 'responseType',
	type: 'options',
	default: 'delivery',
	description: 'The event after which the workflow continues',
} as const;

const waitForOptions = [
	{
		name: 'Approval',
		value: 'approval',
		description: 'Until the person taps a button on the page behind the link in the message',
	},
	{
		name: 'Delivery Result',
		value: 'delivery',
		description: "Until the message is delivered or can't be delivered",
	},
	{
		name: 'Free Text',
		value: 'freeText',
		description: 'Until the person writes an answer on the page behind the link in the message',
	},
] as const;

export const defaultLabels = { approve: 'Approve', decline: 'Decline' } as const;

const approvalValues = [
	{
		displayName: 'Approve Button Label',
		name: 'approveLabel',
		type: 'string',
		noDataExpression: true,
		default: defaultLabels.approve,
	},
	{
		displayName: 'Disapprove Button Label',
		name: 'disapproveLabel',
		type: 'string',
		noDataExpression: true,
		default: defaultLabels.decline,
		displayOptions: { show: { approvalType: ['double'] } },
	},
	{
		displayName: 'Type of Approval',
		name: 'approvalType',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Approve and Disapprove', value: 'double' },
			{ name: 'Approve Only', value: 'single' },
		],
		default: 'double',
	},
] as const satisfies readonly Param[];

export type ApprovalLabels = Partial<ValuesOf<typeof approvalValues>>;

export const waitParams = [
	{
		...waitFor,
		options: [...waitForOptions, reading],
		displayOptions: { hide: { channelType: neverRead } },
	},
	{
		...waitFor,
		options: waitForOptions,
		displayOptions: { show: { channelType: ['SMS'] } },
	},
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: { show: { responseType: ['approval'] } },
		options: [{ displayName: 'Values', name: 'values', values: approvalValues }],
	},
	{
		displayName:
			'Write {link} where the link is to stand in the message. Without it, the link is added at the end.',
		name: 'linkNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { responseType: ['approval', 'freeText'] } },
	},
	{
		displayName: 'Wait at Most (Hours)',
		name: 'limitHours',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 25,
		description:
			'Afterwards, the workflow continues with outcome: timeout. The service usually tries for 25 hours.',
	},
] as const satisfies readonly Param[];
