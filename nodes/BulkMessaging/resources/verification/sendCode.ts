import { messaging } from '../../../../core/contract/messaging';
import { VerificationChannel } from '../../../../core/contract/values';
import { defineOperation } from '../../../../core/engine/operation';
import { toItem } from '../../../../core/engine/items';
import { z } from '../../../../vendor/zod';
import { defaultCountry, phoneLabel, requireDigits } from '../../../shared/phone';
import { additionalFields, toAdditional } from '../../../shared/additionalFields';

const channelNames: Readonly<Record<(typeof VerificationChannel.known)[number], string>> = {
	SMS: 'SMS',
	TELEGRAM_GATEWAY: 'Telegram Gateway',
};

export const sendCode = defineOperation({
	value: 'sendCode',
	name: 'Send Code',
	action: 'Send verification code',
	description:
		'Let the service make up a code and send it to a phone number. This costs money. It needs an API key of the type for the verification module.',
	endpoint: messaging.codeSend,
	output: z.object({ uuid: z.string(), destination: z.string() }),
	params: [
		{
			displayName: phoneLabel,
			name: 'destination',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.phone }}',
			description: 'In any form people write it',
		},
		defaultCountry,
		{
			displayName: 'Channel',
			name: 'channelType',
			type: 'options',
			options: VerificationChannel.known.map((value) => ({ name: channelNames[value], value })),
			allowArbitraryValues: true,
			default: 'SMS',
			description: 'How the code is sent',
		},
		{
			displayName: 'Module ID',
			name: 'gatewayId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 42',
			description: "The ID of the verification module in your account on the provider's website",
		},
		additionalFields,
	],
	request: ({ destination, defaultCountry: country, channelType, gatewayId, ...more }) => ({
		body: {
			channelType,
			destination: requireDigits(destination, country, phoneLabel),
			gatewayId: gatewayId.trim(),
			...toAdditional(more.additionalFields),
		},
	}),
	toItems: (reply, { destination, defaultCountry: country }) => [
		{ ...toItem(reply), destination: requireDigits(destination, country, phoneLabel) },
	],
});
