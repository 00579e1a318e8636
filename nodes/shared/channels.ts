import type { Param } from '../../core/engine/params';

export const channelOptions = [
	{
		name: 'Flash Call',
		value: 'FLASHCALL',
		description: 'A call whose phone number contains a code',
	},
	{ name: 'Push', value: 'PUSH', description: 'A push notification' },
	{ name: 'SMS', value: 'SMS' },
	{ name: 'Telegram', value: 'TELEGRAM' },
	{
		name: 'Text to Speech',
		value: 'TEXT_TO_SPEECH',
		description: 'A call that reads the text aloud',
	},
	{ name: 'Viber', value: 'VIBER' },
	{ name: 'VK', value: 'VK' },
	{ name: 'Voice Code', value: 'VOICECODE', description: 'A call that speaks a code' },
	{ name: 'WEASY', value: 'WEASY' },
	{ name: 'WhatsApp', value: 'WHATSAPP' },
] as const;

/** The service may have channels that aren't listed, so an expression can set any value. */
export const channelType = {
	displayName: 'Channel',
	name: 'channelType',
	type: 'options',
	options: channelOptions,
	allowArbitraryValues: true,
	default: 'SMS',
	required: true,
	description:
		'How the message is delivered. If your channel isn\'t listed, enter its code as an expression, e.g. {{ "MAX" }}.',
} as const satisfies Param;
