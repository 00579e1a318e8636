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
