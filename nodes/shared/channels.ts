import type { Param } from '../../core/engine/params';

export const channelOptions = [
	{ name: 'Flash Call', value: 'FLASHCALL', description: 'A call whose number carries a code' },
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

/** The service may have channels that are not listed: an expression can give any. */
export const channelType = {
	displayName: 'Channel',
	name: 'channelType',
	type: 'options',
	options: channelOptions,
	allowArbitraryValues: true,
	default: 'SMS',
	required: true,
	description:
		'A channel that is not in the list can be given by an expression, for example {{ "MAX" }}',
} as const satisfies Param;
