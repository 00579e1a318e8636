import type { Resource } from '../../../core/engine/operation';
import { account } from './account';
import { dispatch } from './dispatch';
import { message } from './message';
import { senderName } from './senderName';
import { template } from './template';
import { verification } from './verification';

/** A new node opens with the first resource selected, and a resource with its first operation. */
export const messagingResources: readonly Resource[] = [
	message,
	dispatch,
	account,
	verification,
	template,
	senderName,
];
