import { messaging } from '../../../core/contract/messaging';
import { FlashCallResult, VerificationChannel } from '../../../core/contract/values';
import { addHintOnce } from '../../../core/engine/hints';
import { toItem } from '../../../core/engine/items';
import { defineOperation, type Resource } from '../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../core/engine/params';
import { isRecord } from '../../../core/json';
import { hasFailedStatus, saysFailure } from '../../../core/transport/replyShape';
import { z } from '../../../vendor/zod';
import { additionalFields, replacedIn, toAdditional } from '../../shared/additionalFields';
import { optionsWith, unlistedIn } from '../../shared/lists';
import { defaultCountry, phoneLabel, phoneNumber, requireDigits } from '../../shared/phone';

const key = {
	displayName: 'Key',
	name: 'key',
	type: 'string',
	default: '',
	required: true,
	description: 'The verification key that the widget on your page provides',
} as const satisfies Param;

const channelNames: Readonly<Record<(typeof VerificationChannel.known)[number], string>> = {
	SMS: 'SMS',
	TELEGRAM_GATEWAY: 'Telegram Gateway',
};

const resultNames: Readonly<Record<(typeof FlashCallResult.known)[number], string>> = {
	NUMBER_VERIFIERD: 'Right Code',
	WRONG_CODE: 'Wrong Code',
};

const codeParam = {
	displayName: 'Code',
	name: 'code',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.code }}',
	description: 'The code that the person entered',
} as const satisfies Param;

const codeParams = [
	phoneNumber,
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
		placeholder: 'e.g. a1B2c3',
		description:
			"The ID of the verification module (gatewayId) in your account on the provider's website, usually a short text of letters and digits",
	},
	optionsWith([additionalFields, defaultCountry]),
] as const satisfies readonly Param[];

/** The request body, and hints for the user about replaced fields. */
const toCodeBody = ({
	destination,
	channelType,
	gatewayId,
	options: { additionalFields: given, defaultCountry: country = defaultCountry.default },
}: ValuesOf<typeof codeParams>) => {
	const additional = toAdditional(given);
	const own = { channelType, destination, gatewayId: gatewayId.trim() };
	const to = requireDigits(additional.destination ?? destination, country, phoneLabel);
	const body = { ...own, ...additional, destination: to };
	return { body, hints: replacedIn(additional, own) };
};

const sendCode = defineOperation({
	value: 'sendCode',
	name: 'Send Code',
	action: 'Send verification code',
	done: { one: 'code sent', many: 'codes sent', id: 'uuid' },
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
	confirms: (reply) => reply.uuid.trim() !== '' && !saysFailure(reply) && !hasFailedStatus(reply),
	toItems: (reply, values) => [
		{ ...toItem(reply), destination: toCodeBody(values).body.destination },
	],
});

/** Any other status is the outcome `unknown`, which doesn't confirm the number. */
const codeOutcomes: ReadonlyMap<string, string> = new Map([
	['CONFIRMED', 'confirmed'],
	['WRONG_CODE', 'wrongCode'],
	['EXPIRED', 'expired'],
	['NOT_FOUND', 'notFound'],
]);

const checkCode = defineOperation({
	value: 'checkCode',
	name: 'Check Code',
	action: 'Check verification code',
	done: { one: 'code checked', many: 'codes checked' },
	description:
		"Check whether a code is the one that 'Send Code' sent. A wrong code is a result, not an error. After too many checks, a code expires.",
	endpoint: messaging.codeCheck,
	output: z.object({ confirmed: z.boolean(), outcome: z.string(), status: z.string() }),
	params: [
		{
			displayName: 'Verification UUID',
			name: 'uuid',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.uuid }}',
			description: "The uuid that 'Send Code' returned",
		},
		{ ...codeParam, required: true },
	],
	request: ({ uuid, code }) => ({ body: { uuid: uuid.trim(), code: code.trim() } }),
	toItems: (reply) => {
		const outcome = codeOutcomes.get(reply.status) ?? 'unknown';
		// `confirmed` comes last, so that a field of the same name in the response can't replace it.
		return [{ ...toItem(reply), confirmed: outcome === 'confirmed', outcome }];
	},
});

const send = defineOperation({
	value: 'send',
	name: 'Send by Widget',
	action: 'Send verification by widget',
	done: { one: 'verification sent', many: 'verifications sent' },
	description:
		"Send the phone verification widget's message. This costs money. It needs an API key created for verification.",
	endpoint: messaging.verificationSend,
	params: [key, additionalFields],
	request: ({ key: given, additionalFields: additional }) => ({
		body: { key: given, ...toAdditional(additional) },
	}),
});

const check = defineOperation({
	value: 'check',
	name: 'Check by Widget',
	action: 'Check verification by widget',
	description: 'Check whether the person confirmed the number in the phone verification widget',
	endpoint: messaging.verificationCheck,
	output: z.object({ confirmed: z.boolean(), status: z.string() }),
	effect: 'reads',
	params: [key],
	request: ({ key: given }) => ({ body: { key: given } }),
	// `confirmed` comes last, so that a field of the same name in the response can't replace it.
	toItems: (reply) => [{ ...toItem(reply), confirmed: reply.status === 'CONFIRMED' }],
});

const flashCallResult = {
	displayName: 'Result',
	name: 'result',
	type: 'options',
	options: FlashCallResult.known.map((value) => ({ name: resultNames[value], value })),
	allowArbitraryValues: true,
	default: 'NUMBER_VERIFIERD',
	description: 'What the person entered',
} as const satisfies Param;

const reportFlashCall = defineOperation({
	value: 'reportFlashCall',
	name: 'Report Flash Call Result',
	action: 'Report flash call result',
	done: { one: 'result reported', many: 'results reported' },
	description:
		'Tell the service whether the person entered the right code after a flash call. This improves the routes of later calls. It needs the API key for messages, not the one for verification.',
	endpoint: messaging.flashCallResult,
	output: z.object({ messageUuid: z.string(), result: z.string(), reported: z.boolean() }),
	params: [
		{
			displayName: 'Message UUID',
			name: 'messageUuid',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.messageUuid }}',
			description: "The messageUuid that 'Message: Send' returned for the flash call",
		},
		flashCallResult,
		{ ...codeParam, description: `${codeParam.description}. You can leave it empty.` },
	],
	request: ({ messageUuid, result, code }, { context }) => {
		for (const hint of unlistedIn(flashCallResult, result)) addHintOnce(context, hint);
		return { body: { messageUuid: messageUuid.trim(), result, code: code?.trim() } };
	},
	// The response isn't published, so any that reports no error confirms it.
	confirms: (reply) => !isRecord(reply) || !hasFailedStatus(reply),
	toItems: (_, { messageUuid, result }) => [
		{ messageUuid: messageUuid.trim(), result, reported: true },
	],
});

export const verification: Resource = {
	value: 'verification',
	name: 'Verification',
	description: 'Verify phone numbers by a code, or through the widget on your page',
	operations: [sendCode, checkCode, send, check, reportFlashCall],
};
