import type { Resource } from '../../../../core/engine/operation';
import { get, getAll } from './get';
import { send } from './send';
import { sendAndWait } from './wait/sendAndWait';
import { sendCascade } from './sendCascade';
import { stop } from './stop';

export const message: Resource = {
	value: 'message',
	name: 'Message',
	description: 'SMS, messenger messages and calls to single phone numbers',
	operations: [send, sendAndWait, sendCascade, get, getAll, stop],
};
