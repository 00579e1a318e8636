import type { Param, ValuesOf } from '../../../../core/engine/params';
import { companyId } from '../../shared/locators';
import { channelType } from '../../../shared/channels';
import { optionParams } from './options';

export const mainParams = [
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
		displayName: 'Send Under',
		name: 'senders',
		type: 'options',
		options: [
			{
				name: 'All Approved Senders of the Company for This Channel',
				value: 'allApproved',
				description: 'One for each operator',
			},
			{ name: 'Choose Below', value: 'choose' },
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
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. Hello {name}, your discount is {discount} %',
		description: 'Placeholders in braces are replaced by the values of each recipient',
	},
	{
		displayName:
			'The price estimate of a dispatch is a reservation: starting it reserves that amount of the monthly budget. The final cost is fixed after delivery and may be lower.',
		name: 'reservationNotice',
		type: 'notice',
		default: '',
	},
] as const satisfies readonly Param[];

/** What belongs to a dispatch as a whole: items that agree on all of it share one. */
export const headParams = [...mainParams, ...optionParams] as const;

export type HeadValues = ValuesOf<typeof headParams>;
