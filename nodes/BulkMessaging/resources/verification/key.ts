import type { Param } from '../../../../core/engine/params';

export const key = {
	displayName: 'Key',
	name: 'key',
	type: 'string',
	default: '',
	required: true,
	description: 'The verification key that the widget on your page provides',
} as const satisfies Param;
