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
		description: 'In any common format',
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

/** The request body, and hints for the user about replaced fields. */
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
	return { body: { ...own, ...additional }, hints: replacedIn(additional, own) };
};

export const sendCode = defineOperation({
	value: 'sendCode',
	name: 'Send Code',
	action: 'Send verification code',
	description:
		'Have the service generate a code and send it to a phone number. This costs money. It needs an API key created for the verification module.',
	endpoint: messaging.codeSend,
	output: z.object({ uuid: z.string(), destination: z.string() }),
	params: codeParams,
	request: (values, { context }) => {
		const { body, hints } = toCodeBody(values);
		for (const hint of hints) addHintOnce(context, hint);
		return { body };
	},
	// Without the UUID, the code can't be checked.
	confirms: ({ uuid }) => uuid.trim() !== '',
	toItems: (reply, values) => [
		{ ...toItem(reply), destination: String(toCodeBody(values).body.destination) },
	],
});
