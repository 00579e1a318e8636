import type { Param } from '../../../../../core/engine/params';
import { defaultCountry } from '../../../../shared/phone';

/** To whom, in any form people write it. */
export const recipientParams = [
	{
		displayName: 'Phone Number',
		name: 'destination',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. +7 912 345-67-89',
		description: 'In any form people write it',
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
	description: 'The approved name the message is sent under',
} as const satisfies Param;

export const ownId = {
	displayName: 'Custom Message ID',
	name: 'externalMessageId',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1042-shipped',
	description:
		'An ID of yours for this very message, up to 100 characters. With it the same message is not sent a second time when the workflow runs again, and callbacks carry it. Without it one is made up.',
} as const satisfies Param;
