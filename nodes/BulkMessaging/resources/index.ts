import type { Resource } from '../../../core/engine/operation';
import { customCallOf } from '../../shared/customCall';
import { account } from './account';
import { message } from './message';
import { verification } from './verification';

/** Everything the node can do, in the order of the documentation; n8n's own lists are sorted by name. */
export const messagingResources: readonly Resource[] = [
	message,
	account,
	verification,
	customCallOf('messaging'),
];
