import { partner } from '../../../../../core/contract/partner';
import type { Param } from '../../../../../core/engine/params';
import { checkRequest } from '../../../../../core/transport/send';
import { companyId } from '../../../shared/locators';
import { channelType } from '../../../../shared/channels';
import { placeholderHelp } from '../../../../shared/placeholders';
import type { HeadKind, HeadOf } from '../plan/groups';
import { recipientOptionParams } from './recipientOptions';
import { dispatchOptionParams, toDispatchOptions } from './options';
import { itemParams, listParams, sourceParam } from './recipients';

const mainParams = [
	companyId,
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Spring sale, Moscow',
		description: 'How you will find the dispatch later',
	},
	channelType,
	{
		displayName: 'Send As',
		name: 'senders',
		type: 'options',
		options: [
			{
				name: 'All Approved Sender Names',
				value: 'allApproved',
				description: 'Of the company, for this channel: one for each operator',
			},
			{ name: 'Choose Sender Names Below', value: 'choose' },
		],
		default: 'choose',
		description: 'Under which names the messages are sent',
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
			'One for each operator: the service picks the one that fits a number. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
] as const satisfies readonly Param[];

const textHelp = `${placeholderHelp} An expression can give every item its own text.`;

const textParam = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. Hello {name}, your discount is {discount} %',
	description: textHelp,
} as const satisfies Param;

/** What belongs to a dispatch as a whole: items that agree on all of it share one. */
const headParams = [...mainParams, ...dispatchOptionParams] as const;

export type HeadValues = HeadOf<typeof headParams>;

const reservationNotice = {
	displayName:
		'The price estimate of a dispatch is a reservation: starting it reserves that amount of the monthly budget. The final cost is fixed after delivery and may be lower.',
	name: 'reservationNotice',
	type: 'notice',
	default: '',
} as const satisfies Param;

/** Everything a new dispatch is made of but its options, in the order of the screen: what, to whom, for how much. */
export const requiredParams = [
	...mainParams,
	textParam,
	sourceParam,
	...itemParams,
	...listParams,
	...recipientOptionParams,
	reservationNotice,
] as const;

export const dispatchParams = [...requiredParams, ...dispatchOptionParams] as const;

/** Ready for the wire but for its senders, and held against the contract without recipients: those are checked one by one. */
export const toDraft = ({
	companyId: company,
	name,
	channelType: channel,
	text,
	options,
	...values
}: HeadValues) => {
	const draft = {
		companyId: company,
		name,
		channelType: channel,
		text,
		...toDispatchOptions(options),
	};
	const senderIds = values.senders === 'choose' ? values.senderIds : [1];
	checkRequest(partner.dispatchCreate, { body: { ...draft, senderIds, messages: [] } });
	return draft;
};

export const newDispatch: HeadKind<typeof headParams> = {
	params: headParams,
	text: textParam,
	mayHaveOtherText: ({ options }) => options.nameUsed === 'goOn',
	check: toDraft,
};
