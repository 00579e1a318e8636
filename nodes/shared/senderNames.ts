import type { IExecuteFunctions } from 'n8n-workflow';
import { isUsualSmsName } from '../../core/contract/usual';
import { addHintOnce } from '../../core/engine/hints';

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

/** A hint about a name with an unusual length for SMS. */
export const hintAtLength = (
	context: IExecuteFunctions,
	senderName: string,
	channelType: string,
): void => {
	if (channelType !== 'SMS' || isUsualSmsName(senderName)) return;
	addHintOnce(
		context,
		`The service may reject "${senderName}": for SMS, a sender name usually has 3 to 11 characters.`,
	);
};
