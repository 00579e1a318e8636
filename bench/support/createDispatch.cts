import type { INodeParameters } from 'n8n-workflow';
import { senderId } from './receivedDispatch.cts';
import { text } from './recipients.cts';

/** Dispatch: Create as somebody sets it up who drags the fields of the items into the panel. */
export const createDispatch: INodeParameters = {
	resource: 'dispatch',
	operation: 'create',
	companyId: { __rl: true, mode: 'id', value: '1' },
	// Each run has its own: under the name of an earlier one, everybody would have it already.
	name: '=Bench {{ $now.toMillis() }}',
	channelType: 'SMS',
	text,
	recipients: 'items',
	destination: '={{ $json.phone }}',
	options: { senderIds: [senderId] },
};
