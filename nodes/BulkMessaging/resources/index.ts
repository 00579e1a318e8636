import type { Resource } from '../../../core/engine/operation';
import { customCallOf } from '../../shared/customCall';
import { account } from './account';
import { message } from './message';
import { verification } from './verification';

/** Everything the node can do. A new node opens on the first resource, and each resource on its first operation. */
export const messagingResources: readonly Resource[] = [
	message,
	account,
	verification,
	customCallOf('messaging'),
];
