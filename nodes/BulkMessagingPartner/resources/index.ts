import type { Resource } from '../../../core/engine/operation';
import { customCallOf } from '../../shared/customCall';
import { blacklist } from './blacklist';
import { company } from './company';
import { dispatch } from './dispatch';
import { document } from './document';
import { message } from './message';
import { price } from './price';
import { sender } from './sender';

/** Everything the node can do, in the order of the documentation; n8n's own lists are sorted by name. */
export const partnerResources: readonly Resource[] = [
	company,
	document,
	sender,
	dispatch,
	message,
	blacklist,
	price,
	customCallOf('partner'),
];
