import { messaging } from '../../../../core/contract/messaging';
import { VerificationChannel } from '../../../../core/contract/values';
import { addHintOnce } from '../../../../core/engine/hints';
import { defineOperation } from '../../../../core/engine/operation';
import { toItem } from '../../../../core/engine/items';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import { z } from '../../../../vendor/zod';
import { defaultCountry, phoneLabel, requireDigits } from '../../../shared/phone';
import { additionalFields, replacedIn, toAdditional } from '../../../shared/additionalFields';

const channelNames: Readonly<Record<(typeof VerificationChannel.known)[number], string>> = {
	SMS: 'SMS',
	TELEGRAM_GATEWAY: 'Telegram Gateway',
};

const codeParams = [
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
		description:
			"The ID of the verification module (gatewayId) in your account on the provider's website",
	},
	additionalFields,
] as const satisfies readonly Param[];

/** What is sent, and what the user should know about it. */
const toCodeBody = ({
	destination,
	defaultCountry: country,
	channelType,
	gatewayId,
	additionalFields: given,
}: ValuesOf<typeof codeParams>) => {
	const own = {
		channelType,
		destination: requireDigits(destination, country, phoneLabel),
		gatewayId: gatewayId.trim(),
	};
	const additional = toAdditional(given);
	return { body: { ...own, ...additional }, remarks: replacedIn(additional, own) };
};

export const sendCode = defineOperation({
	value: 'sendCode',
	name: 'Send Code',
	action: 'Send verification code',
	description:
		'Let the service make up a code and send it to a phone number. This costs money. It needs an API key of the type for the verification module.',
	endpoint: messaging.codeSend,
	output: z.object({ uuid: z.string(), destination: z.string() }),
	params: codeParams,
	request: (values, { context }) => {
		const { body, remarks } = toCodeBody(values);
		for (const remark of remarks) addHintOnce(context, remark);
		return { body };
	},
	// Without the UUID nobody can check the code.
	confirms: ({ uuid }) => uuid.trim() !== '',
	toItems: (reply, values) => [
		{ ...toItem(reply), destination: String(toCodeBody(values).body.destination) },
	],
});
