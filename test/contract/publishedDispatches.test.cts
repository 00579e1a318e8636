import { messaging } from '../../core/contract/messaging';
import {
	bool,
	holdsCall,
	int,
	listOf,
	mapOf,
	objectWith,
	objectWithSome,
	optional,
	required,
	string,
	unsaid,
	unshown,
	type Call,
} from './support.cts';
import { destination } from './vocabulary.cts';

/* Dispatches of the messaging API, transcribed from the provider's public reference. The specification only names them. */

const counts = objectWith(
	Object.fromEntries(
		['total', 'delivered', 'undelivered', 'unsent', 'sent', 'sending'].map((name) => [
			name,
			required(int),
		]),
	),
);

/** Only `sending` was seen as the API writes it, so any other word is accepted too. */
const dispatch = objectWith({
	dispatchId: required(int),
	dispatchName: required(string),
	created: unsaid(unshown('2026-03-01T07:00:00Z')),
	localSendTime: unsaid(unshown('2026-03-01 10:00:00', null)),
	localCompletionTime: unsaid(unshown('2026-03-01 20:00:00', null)),
	useLocalTime: unsaid(bool),
	status: required(unshown('sending', 'NOT_LISTED')),
	source: unsaid(string),
	message: unsaid(string),
	trafficCenterId: unsaid(int),
	trafficCenterName: unsaid(string),
	base: unsaid(unshown({ included: { type: 'FILE', name: 'a.csv' }, excluded: null })),
	parts: unsaid(counts),
	messages: required(counts),
});

const calls: Call[] = [
	{
		call: 'GET /dispatch',
		query: objectWithSome({
			created_from: optional(unshown('2026-03-01T07:00:00Z')),
			created_to: optional(unshown('2026-03-01T07:00:00Z')),
			status: optional(unshown('sending', 'NOT_LISTED')),
			dispatch_id: optional(unshown(17)),
			dispatch_name: optional(string),
			traffic_center_id: optional(unshown(17)),
		}),
		// Not published for this list; the message list is divided like this.
		paging: { number: 'page', size: 'per_page', defaultSize: 100 },
		reply: objectWith({ total: required(int), items: required(listOf(dispatch)) }),
	},
	{
		call: 'POST /dispatch/{dispatchId}/messages',
		body: listOf(
			objectWith({
				destination: required(destination),
				substitutions: optional(mapOf([{ name: 'Anna' }, { amount: 8.7, isNew: true }, {}], [])),
			}),
		),
		reply: listOf(
			objectWith({
				destination: required(string),
				messageUuid: unsaid(string),
				errorCode: unsaid(unshown(7401)),
			}),
		),
	},
	{
		call: 'POST /dispatch/{dispatchId}/start',
		reply: objectWith({ dispatchId: required(int) }),
	},
	// "200 with an empty body"
	{ call: 'POST /dispatch/{dispatchId}/stop', reply: 'not shown' },
];

describe('dispatches as the public reference shows them', () => {
	for (const call of calls) holdsCall(messaging, call);
});
