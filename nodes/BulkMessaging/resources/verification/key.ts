import type { Param } from '../../../../core/engine/params';

export const key = {
	displayName: 'Key',
	name: 'key',
	type: 'string',
	default: '',
	required: true,
	description: 'The key of this verification, as the widget on your page passes it on',
} as const satisfies Param;
