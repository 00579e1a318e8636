import type { Resource } from '../../../../core/engine/operation';
import { check } from './check';
import { checkCode } from './checkCode';
import { send } from './send';
import { sendCode } from './sendCode';

export const verification: Resource = {
	value: 'verification',
	name: 'Verification',
	description: 'Verify phone numbers by a code, or through the widget on your page',
	operations: [sendCode, checkCode, send, check],
};
