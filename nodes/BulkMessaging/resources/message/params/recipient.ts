import type { Param } from '../../../../../core/engine/params';
import { defaultCountry, phoneLabel } from '../../../../shared/phone';

export const recipientParams = [
	{
		displayName: phoneLabel,
		name: 'destination',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. +7 912 345-67-89',
		description: 'In any common format',
	},
	defaultCountry,
] as const satisfies readonly Param[];

export const senderName = {
	displayName: 'Sender Name',
	name: 'senderName',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. FLOWERS',
	description: 'The approved name that the message is sent from',
} as const satisfies Param;

export const ownId = {
	displayName: 'Custom Message ID',
	name: 'externalMessageId',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1042-shipped',
	description:
		"Your reference for this message, up to 100 characters. Running again with the same ID won't send it twice, and callbacks contain it. If empty, every run generates a new ID and sends the message again.",
} as const satisfies Param;
