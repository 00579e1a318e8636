import { z } from '../../vendor/zod';
import { ApiMessage } from './message';
import { CallbackStatus, ChannelType, Datetime, Int, looseObject } from './values';

/** Which API reports an event: the messaging API for single messages, the partner API for messages of dispatches. */
export type EventSource = 'message' | 'dispatch';

/** The fields that a callback can contain, by their names in the nodes' output. */
export const eventFields = [
	'status',
	'statusTime',
	'externalMessageId',
	'destination',
	'channelType',
	'cascadeMessageUuid',
	'cascadeStep',
	'errorCode',
	'parts',
	'price',
	'currency',
	'url',
	'shortUrl',
] as const;
export type EventField = (typeof eventFields)[number];

/** How one API writes an event. */
interface WireEvent {
	readonly schema: z.AnyZodObject;
	/** The field with the time of the event itself. A click may also contain the time of its message's status. */
	readonly time: string;
}

interface EventRow {
	/** On the screen, and in camelCase as `event` in the trigger's output. */
	readonly label: string;
	readonly description: string;
	readonly message: WireEvent;
	/** Missing if the partner API doesn't report it. */
	readonly dispatch?: WireEvent;
	/** The fields that distinguish two such events of one message at the same time. */
	readonly identity: readonly EventField[];
	/** What happened. Missing if the status says it. */
	readonly outcome?: string;
	/** Whether the event can be requested when a message is sent. */
	readonly isRequestable: boolean;
	/**
	 * The place of its output, if every event of the trigger has its own. Workflows store connections by it: a new event gets the next
	 * free number, and none is ever changed. 6 is the output for unrecognized events.
	 */
	readonly output: number;
}

const ofMessage = {
	message_uuid: z.string().min(1),
	channel_type: ChannelType,
	cascade_message_uuid: z.string().optional(),
	cascade_step: Int.optional(),
	external_message_id: z.string().optional(),
};

const status = { status: CallbackStatus, status_time: z.string() };

const statusOfMessage = <Name extends string>(event: Name) =>
	looseObject({
		callback_event: z.literal(event),
		...ofMessage,
		...status,
		error_code: Int.optional(),
	});

const ofDispatch = { messageUuid: z.string().min(1), destination: z.string(), status: z.string() };

/**
 * The events that the service reports, one row each, in the order users see them. The trigger's options, outputs, filters, keys
 * and outcomes, 'Callback Events' in the sending nodes, Send and Wait, and the sandbox are all built from these rows.
 */
export const events = {
	delivered: {
		label: 'Delivery Result',
		description:
			"A message was delivered or can't be delivered. Dispatches report only delivered messages.",
		message: { schema: statusOfMessage('delivered'), time: 'status_time' },
		dispatch: {
			schema: looseObject({ event: z.literal('delivered'), ...ofDispatch, deliveredAt: Datetime }),
			time: 'deliveredAt',
		},
		identity: ['status'],
		isRequestable: true,
		output: 0,
	},
	inbound_sent: {
		label: 'Inbound Message',
		description: 'A recipient replied (WhatsApp only, once the service has enabled it)',
		message: {
			schema: looseObject({
				callback_event: z.literal('inbound_sent'),
				message_uuid: z.string().min(1),
				channel_type: ChannelType,
				...status,
				item: ApiMessage,
			}),
			time: 'status_time',
		},
		identity: ['status'],
		outcome: 'received',
		// A rule in the account requests it.
		isRequestable: false,
		output: 1,
	},
	click: {
		label: 'Link Clicked',
		description: 'A recipient clicked a short link in a message',
		message: {
			schema: looseObject({
				callback_event: z.literal('click'),
				...ofMessage,
				url: z.string(),
				short_url: z.string(),
				click_time: z.string(),
			}),
			time: 'click_time',
		},
		// Two links can be clicked within a second.
		identity: ['url', 'shortUrl'],
		outcome: 'clicked',
		isRequestable: true,
		output: 2,
	},
	price: {
		label: 'Price Changed',
		description: 'The price of a message has changed',
		message: {
			schema: looseObject({
				callback_event: z.literal('price'),
				...ofMessage,
				parts: Int,
				price: z.number(),
				currency: z.string().length(3),
				price_time: z.string(),
			}),
			time: 'price_time',
		},
		// A price can change twice in a second.
		identity: ['price', 'parts', 'currency'],
		outcome: 'priced',
		isRequestable: true,
		output: 3,
	},
	read: {
		label: 'Read Result',
		description: "A message was read, or wasn't read within its lifetime",
		message: { schema: statusOfMessage('read'), time: 'status_time' },
		identity: ['status'],
		isRequestable: true,
		output: 4,
	},
	sent: {
		label: 'Sent',
		description: 'A message was passed to the operator',
		message: { schema: statusOfMessage('sent'), time: 'status_time' },
		dispatch: {
			schema: looseObject({ event: z.literal('sent'), ...ofDispatch, sentAt: Datetime }),
			time: 'sentAt',
		},
		identity: ['status'],
		isRequestable: true,
		output: 5,
	},
} as const satisfies Record<string, EventRow>;

export type EventName = keyof typeof events;

/** The names of the rows that have a feature. */
type NamesWith<Feature> = {
	[Name in EventName]: (typeof events)[Name] extends Feature ? Name : never;
}[EventName];
export type MessageEventName = NamesWith<{ isRequestable: true }>;
export type DispatchEventName = NamesWith<{ dispatch: WireEvent }>;

// Object.keys returns string[]; these are the keys of the table.
export const eventNames = Object.keys(events) as EventName[];

/** The event in the nodes' output. The service's name isn't shown: it calls a failed delivery `delivered` too. */
export const outputEventOf = (name: EventName): string =>
	events[name].label
		.split(' ')
		.map((word, index) => (index === 0 ? word.toLowerCase() : word))
		.join('');

/** The row for an event name from outside. */
export const eventRow = (name: string): EventRow | undefined =>
	Object.hasOwn(events, name) ? events[name as EventName] : undefined;

const messageEventNames = eventNames.filter(
	(name): name is MessageEventName => events[name].isRequestable,
);
const dispatchEventNames = eventNames.filter(
	(name): name is DispatchEventName => 'dispatch' in events[name],
);

// z.enum needs a non-empty list, and the table isn't empty.
const enumOf = <Name extends string>(names: Name[]) => z.enum(names as [Name, ...Name[]]);

/** The events that can be requested with `callbackEvents`. */
export const MessageEvent = enumOf(messageEventNames);
export const DispatchEvent = enumOf(dispatchEventNames);

/** The events as options of a parameter. */
export const eventOptions = <Name extends EventName>(names: readonly Name[]) =>
	names.map((name) => ({
		name: events[name].label,
		value: name,
		description: events[name].description,
	}));

export interface StatusRow {
	readonly label: string;
	readonly description?: string;
	/** The event `delivered` can have the status undelivered or unsent, so the outcome depends on the status, not on the event. */
	readonly outcome: string;
}

/** The statuses of callbacks, in lower case, in the order users see them. */
export const callbackStatuses = {
	delivered: { label: 'Delivered', outcome: 'delivered' },
	inbound_sent: { label: events.inbound_sent.label, outcome: 'received' },
	unread: {
		label: 'Not Read',
		description: "The message wasn't read within its lifetime",
		outcome: 'notRead',
	},
	read: { label: 'Read', outcome: 'read' },
	sent: { label: 'Sent', outcome: 'sent' },
	undelivered: {
		label: 'Undelivered',
		description: "The message wasn't delivered within its lifetime",
		outcome: 'failed',
	},
	unsent: { label: 'Unsent', description: "The message couldn't be sent", outcome: 'failed' },
} as const satisfies Record<string, StatusRow>;

export type CallbackStatusName = keyof typeof callbackStatuses;

/** Every status of a message. No callback reports the added ones. */
export const messageStatuses = {
	...callbackStatuses,
	created: { label: 'Created', outcome: 'pending' },
	failed: {
		label: 'Failed',
		description: "A dispatch's message couldn't be delivered",
		outcome: 'failed',
	},
	sending: { label: 'Sending', description: 'Waiting to be sent', outcome: 'pending' },
} as const satisfies Record<string, StatusRow>;

/** The row for a status from outside, in lower case. */
export const statusRow = (name: string): StatusRow | undefined =>
	Object.hasOwn(messageStatuses, name)
		? messageStatuses[name as keyof typeof messageStatuses]
		: undefined;
