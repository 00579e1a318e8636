import type { Param, ValuesOf } from '../../../../../core/engine/params';

/** Nobody reports that an SMS was read, or a call. */
export const neverRead = ['SMS', 'FLASHCALL', 'VOICECODE', 'TEXT_TO_SPEECH'];
/** Nobody can tap a link in a call. */
export const calls = ['FLASHCALL', 'VOICECODE', 'TEXT_TO_SPEECH'];

const reading = {
	name: 'Read',
	value: 'reading',
	description:
		"Until the message is read, isn't read within its lifetime, or can't be delivered. Viber, VK and WhatsApp report it.",
} as const;

/** Name and values as in n8n's own nodes, because its tool for human review sets them. */
const waitFor = {
	displayName: 'Wait For',
	name: 'responseType',
	// The page and the callbacks must find the same value later, when the item is another one.
	noDataExpression: true,
	description: 'When the workflow continues',
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
		description: 'Until the person writes a reply on the page behind the link in the message',
	},
] as const;

const approvalValues = [
	{
		displayName: 'Approve Button Label',
		name: 'approveLabel',
		type: 'string',
		noDataExpression: true,
		default: 'Approve',
		description: 'What the first button says',
	},
	{
		displayName: 'Disapprove Button Label',
		name: 'disapproveLabel',
		type: 'string',
		noDataExpression: true,
		default: 'Decline',
		description: 'What the second button says',
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
		description: 'Whether the person can only approve, or also decline',
	},
] as const satisfies readonly Param[];

const [approveLabel, disapproveLabel] = approvalValues;
export const defaultLabels = { approve: approveLabel.default, decline: disapproveLabel.default };

export type ApprovalLabels = Partial<ValuesOf<typeof approvalValues>>;

/** The page's own words, in the order of their labels. They are read again when the page is opened, so they can't be expressions. */
const pageText = { type: 'string', noDataExpression: true } as const;
const pageTextParams = [
	{
		...pageText,
		displayName: 'Language',
		name: 'language',
		default: 'en',
		placeholder: 'e.g. de',
		description: 'The language code of these texts, for screen readers',
	},
	{
		...pageText,
		displayName: 'No Reply Needed',
		name: 'overTitle',
		default: 'Someone has already replied, or the time is over',
		description: 'The heading if no reply is needed any more',
	},
	{
		...pageText,
		displayName: 'Send Button Label',
		name: 'responseFormButtonLabel',
		default: 'Send',
		description: 'The button below the field for a text',
	},
	{
		...pageText,
		displayName: 'Thanks',
		name: 'thanksTitle',
		default: 'Thank you, your reply was received',
		description: 'The heading after a reply',
	},
	{
		...pageText,
		displayName: 'Title',
		name: 'responseFormTitle',
		default: 'Your reply is needed',
		description: 'The heading above the question',
	},
] as const satisfies readonly Param[];

export type PageTexts = Record<(typeof pageTextParams)[number]['name'], string>;

/** What the user left empty has its default. A workflow that was written by hand may have a number instead of a text. */
export const givenOr = (usual: string, given: unknown): string =>
	String(given ?? '').trim() || usual;

export const toPageTexts = (given: Partial<PageTexts>): PageTexts =>
	Object.fromEntries(
		pageTextParams.map(({ name, default: usual }) => [name, givenOr(usual, given[name])]),
		// One entry for each name.
	) as PageTexts;

export const waitParams = [
	{
		...waitFor,
		type: 'options',
		default: 'delivery',
		options: [...waitForOptions, reading],
		displayOptions: { hide: { channelType: neverRead } },
	},
	{
		...waitFor,
		type: 'options',
		default: 'delivery',
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
		description: 'The buttons on the page behind the link',
		options: [{ displayName: 'Values', name: 'values', values: approvalValues }],
	},
	{
		displayName: 'Page Texts',
		name: 'pageTexts',
		type: 'collection',
		placeholder: 'Add Text',
		default: {},
		displayOptions: { show: { responseType: ['approval', 'freeText'] } },
		description: 'What the page behind the link says in your language',
		options: pageTextParams,
	},
	{
		displayName:
			'The link is added at the end of the message, or where you write {link} (not in a human review). Anyone who has the link can reply.',
		name: 'linkNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { responseType: ['approval', 'freeText'] } },
	},
	{
		displayName: 'Wait at Most (Hours)',
		name: 'limitHours',
		type: 'number',
		typeOptions: { minValue: 0.001, maxValue: 8760 },
		enforceRange: true,
		default: 25,
		description: 'Afterwards, the workflow continues with outcome: timeout',
	},
] as const satisfies readonly Param[];
