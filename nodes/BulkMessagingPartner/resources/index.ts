import type { Resource } from '../../../core/engine/operation';
import { blacklist } from './blacklist';
import { company } from './company';
import { dispatch } from './dispatch';
import { document } from './document';
import { message } from './message';
import { price } from './price';
import { sender } from './sender';

/** Everything the node can do. The first resource, and the first operation of each resource, are the defaults. */
export const partnerResources: readonly Resource[] = [
	dispatch,
	company,
	document,
	sender,
	message,
	blacklist,
	price,
];
