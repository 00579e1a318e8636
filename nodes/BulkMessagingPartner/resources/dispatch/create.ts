import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { companyId } from '../../shared/locators';
import { channelType } from '../../shared/options';
import { defaultCountry } from '../../shared/phone';
import { optionParams, toOptions } from './options';
import { recipientParams, toRecipients } from './recipients';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create dispatch',
	description:
		'Prepare a bulk send. Nothing is sent before it is started; the reply holds an estimate of its price.',
	endpoint: partner.dispatchCreate,
	params: [
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
			displayName: 'Sender Names or IDs',
			name: 'senderIds',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'getSenders', loadOptionsDependsOn: ['companyId.value'] },
			validateType: 'number',
			default: [],
			required: true,
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
			description: 'Placeholders in braces are replaced by the substitutions of each recipient',
		},
		...recipientParams,
		defaultCountry,
		{
			displayName:
				'The price estimate of a dispatch is a reservation: starting it reserves that amount of the monthly budget. The final cost is fixed after delivery and may be lower.',
			name: 'reservationNotice',
			type: 'notice',
			default: '',
		},
		...optionParams,
	],
	request: ({
		companyId: company,
		name,
		channelType: channel,
		senderIds,
		text,
		options,
		...recipients
	}) => ({
		body: {
			companyId: company,
			name,
			senderIds,
			channelType: channel,
			text,
			messages: toRecipients(recipients),
			...toOptions(options),
		},
	}),
});
