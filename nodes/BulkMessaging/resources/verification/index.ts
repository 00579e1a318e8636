import type { Resource } from '../../../../core/engine/operation';
import { check } from './check';
import { send } from './send';

export const verification: Resource = {
	value: 'verification',
	name: 'Verification',
	description: 'Phone numbers confirmed through the widget on a page',
	operations: [send, check],
};
