import type { Resource } from '../../../../core/engine/operation';
import { call } from './call';

export const customCall: Resource = {
	value: 'customCall',
	name: 'Custom API Call',
	description: 'Anything this node has no operation for',
	operations: [call],
};
