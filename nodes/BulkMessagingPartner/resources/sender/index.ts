import type { Resource } from '../../../../core/engine/operation';
import { close } from './close';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { suspend } from './suspend';
import { unsuspend } from './unsuspend';
import { update } from './update';

export const sender: Resource = {
	value: 'sender',
	name: 'Sender Name',
	description: 'The name recipients see as the sender, registered with each operator',
	// The first operation is the default. It only reads, so that an accidental run changes nothing.
	operations: [getAll, get, create, update, suspend, unsuspend, close],
};
