import type { Param } from '../../core/engine/params';

/** Labels for the values that the service defines for sender names. */
export const brandOptions = [
	{ name: 'Beeline', value: 'BEELINE' },
	{ name: 'MegaFon', value: 'MEGAFON' },
	{ name: 'MTS', value: 'MTS' },
	{ name: 'Tele2', value: 'TELE2' },
] as const;

export const commonTypeOptions = [
	{ name: 'Common', value: 'COMMON', description: 'Ordinary messages' },
	{
		name: 'International, Common',
		value: 'INTERNATIONAL_COMMON',
		description: 'Ordinary messages from a foreign company',
	},
	{
		name: 'International, Verification',
		value: 'INTERNATIONAL_VERIFY',
		description: 'Verification codes from a foreign company',
	},
	{
		name: 'Multi-Signature',
		value: 'MULTISIGNATURE',
		description: 'Several sender names under one contract',
	},
	{ name: 'Promotional', value: 'PROMO', description: 'Advertising' },
] as const;

export const nameToRegister = {
	displayName: 'Sender Name',
	name: 'senderName',
	type: 'string',
	default: '',
	placeholder: 'e.g. NORTHWIND',
} as const satisfies Param;

export const messageType = {
	displayName: 'Message Type',
	name: 'commonType',
	type: 'options',
	options: commonTypeOptions,
	default: 'COMMON',
	description: 'The type of messages sent under this name',
} as const satisfies Param;

export const validFrom = {
	displayName: 'Valid From',
	name: 'dateFrom',
	type: 'dateTime',
	default: '',
} as const satisfies Param;
