import type { Param } from '../../core/engine/params';

/** Where the service reports: an address of the trigger. */
export const callbackUrl = {
	displayName: 'Callback URL',
	name: 'callbackUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://n8n.example.com/webhook/…',
	description:
		'Where the service reports what became of a message: an address of the Bulk Messaging Trigger',
} as const satisfies Param;
