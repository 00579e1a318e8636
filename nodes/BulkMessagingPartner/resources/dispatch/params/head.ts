import { partner } from '../../../../../core/contract/partner';
import type { Param } from '../../../../../core/engine/params';
import { checkRequest } from '../../../../../core/transport/send';
import { companyId } from '../../../shared/locators';
import { replacedIn } from '../../../../shared/additionalFields';
import { checkCallback } from '../../../../shared/callback';
import { channelType } from '../../../../shared/channels';
import { placeholderHelp } from '../../../../shared/placeholders';
import type { HeadKind, HeadOf } from '../plan/plan';
import { recipientOptionParams } from './recipientOptions';
import { dispatchOptionParams, toDispatchOptions } from './options';
import { whomParams } from './recipients';

const nameParams = [
	{
		displayName: 'Dispatch Name',
		name: 'name',
		type: 'string',
		// A daily schedule gets a new name every day. A second run on the same day gets the same name and stops.
		default: '={{ $workflow.name }} {{ $now.toFormat("yyyy-MM-dd") }}',
		required: true,
		placeholder: 'e.g. Spring sale, Moscow',
		description:
			"You can find the dispatch by this name later. If the name already exists, the node stops before anything is sent, unless you change 'If the Name Exists'.",
	},
	{
		displayName: 'If the Name Exists',
		name: 'nameExists',
		type: 'options',
		options: [
			{
				name: 'Begin Anew if Never Started',
				value: 'anew',
				description:
					'Leave unfinished dispatches with this name and create a new one. If one was ever started, nothing is sent.',
			},
			{
				name: 'Create Another Dispatch',
				value: 'another',
				description: 'The same people may get the same message again',
			},
			{
				name: 'Stop With an Error',
				value: 'stop',
				description: 'Nothing is created or sent',
			},
		],
		default: 'stop',
		description: 'What to do if the company already has a dispatch with this name',
	},
] as const satisfies readonly Param[];

const senderParams = [
	channelType,
	{
		displayName: 'Send As',
		name: 'senders',
		type: 'options',
		options: [
			{
				name: 'All Approved Sender Names',
				value: 'allApproved',
				description: "The company's approved names for this channel, one for each operator",
			},
			{ name: 'Choose Sender Names Below', value: 'choose' },
		],
		default: 'allApproved',
		description: 'Which sender names recipients see',
	},
	{
		displayName: 'Sender Names or IDs',
		name: 'senderIds',
		type: 'multiOptions',
		typeOptions: {
			loadOptionsMethod: 'getSenders',
			loadOptionsDependsOn: ['companyId.value', 'channelType'],
		},
		validateType: 'number',
		default: [],
		required: true,
		displayOptions: { show: { senders: ['choose'] } },
		description:
			'One for each operator. For each recipient, the service uses the name that matches the operator. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
] as const satisfies readonly Param[];

const textHelp = `${placeholderHelp} An expression can give every item its own text.`;

const textParam = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	required: true,
	placeholder: 'e.g. Hello {name}, your discount is {discount}%',
	description: textHelp,
} as const satisfies Param;

export const testParam = {
	displayName: 'Send a Test To',
	name: 'testTo',
	type: 'string',
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. +7 912 345-67-89',
	description:
		"Your own phone number. The first recipient's text is sent to this number only, in a separate dispatch. Nobody else gets a message until you clear this field. This costs money.",
} as const satisfies Param;

/** Parameters of a dispatch as a whole: they are read from its first item. */
const headParams = [companyId, ...nameParams, ...senderParams, ...dispatchOptionParams] as const;

export type HeadValues = HeadOf<typeof headParams>;

export const reservationNotice = {
	displayName:
		"Starting a dispatch reserves its estimated price from the company's monthly budget. The final cost is set after delivery and may be lower.",
	name: 'reservationNotice',
	type: 'notice',
	default: '',
} as const satisfies Param;

/** The parameters everyone needs: they are visible without scrolling. */
export const firstParams = [companyId, textParam, ...whomParams] as const;
/** Parameters that have safe defaults or are rarely needed. */
export const furtherParams = [...nameParams, ...senderParams, ...recipientOptionParams] as const;

export const previewParams = [...firstParams, ...furtherParams, ...dispatchOptionParams] as const;

export const dispatchParams = [
	...firstParams,
	...furtherParams,
	testParam,
	reservationNotice,
	...dispatchOptionParams,
] as const;

/** The request without its senders and recipients, checked against the contract. Recipients are checked one by one. */
export const toDraft = ({
	companyId: company,
	name,
	channelType: channel,
	text,
	options,
	...values
}: HeadValues) => {
	const { wire, additional } = toDispatchOptions(options);
	const own = { companyId: company, name, channelType: channel, text, ...wire };
	const draft = { ...own, ...additional, callbackUrl: wire.callbackUrl };
	const senderIds = values.senders === 'choose' ? values.senderIds : [1];
	checkRequest(partner.dispatchCreate, { body: { ...draft, senderIds, messages: [] } });
	return { draft, remarks: replacedIn(additional, { ...own, senderIds }) };
};

export const newDispatch: HeadKind<typeof headParams> = {
	identity: [companyId, channelType, nameParams[0]],
	params: headParams,
	text: textParam,
	hasOtherText: false,
	check: toDraft,
};

/** The same, for operations that create the dispatch: also checks that the receiver wouldn't reject every callback. */
export const reportedDispatch: HeadKind<typeof headParams> = {
	...newDispatch,
	check: (head, context) => {
		const { draft } = toDraft(head);
		checkCallback(context, draft.callbackUrl, head.options.callbackAuthentication);
	},
};
