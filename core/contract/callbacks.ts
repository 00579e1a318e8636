import { z } from '../../vendor/zod';
import { ApiMessage } from './messaging';
import { CallbackStatus, ChannelType, Datetime, Int } from './values';

/** Callbacks of the partner API: one camelCase object for a message of a dispatch. */
const dispatchCallback = {
	messageUuid: z.string().min(1),
	destination: z.string(),
};
const DispatchDeliveredCallback = z
	.object({
		event: z.literal('delivered'),
		...dispatchCallback,
		status: z.string(),
		deliveredAt: Datetime,
	})
	.passthrough();
const DispatchSentCallback = z
	.object({ event: z.literal('sent'), ...dispatchCallback, status: z.string(), sentAt: Datetime })
	.passthrough();
export const DispatchCallback = z.discriminatedUnion('event', [
	DispatchDeliveredCallback,
	DispatchSentCallback,
]);

/** Callbacks of the messaging API: an array of snake_case objects. */
const messageCallback = {
	message_uuid: z.string().min(1),
	channel_type: ChannelType,
	cascade_message_uuid: z.string().optional(),
	cascade_step: Int.optional(),
	external_message_id: z.string().optional(),
};
const statusCallback = {
	...messageCallback,
	status: CallbackStatus,
	status_time: z.string(),
	error_code: Int.optional(),
};
export const DeliveredCallback = z
	.object({ callback_event: z.literal('delivered'), ...statusCallback })
	.passthrough();
const SentCallback = z
	.object({ callback_event: z.literal('sent'), ...statusCallback })
	.passthrough();
const ReadCallback = z
	.object({ callback_event: z.literal('read'), ...statusCallback })
	.passthrough();
export const PriceCallback = z
	.object({
		callback_event: z.literal('price'),
		...messageCallback,
		parts: Int,
		price: z.number(),
		currency: z.string().length(3),
		price_time: z.string(),
	})
	.passthrough();
export const ClickCallback = z
	.object({
		callback_event: z.literal('click'),
		...messageCallback,
		url: z.string(),
		short_url: z.string(),
		click_time: z.string(),
	})
	.passthrough();
export const InboundCallback = z
	.object({
		callback_event: z.literal('inbound_sent'),
		message_uuid: z.string().min(1),
		channel_type: ChannelType,
		status: CallbackStatus,
		status_time: z.string(),
		item: ApiMessage,
	})
	.passthrough();

export const MessageCallback = z.discriminatedUnion('callback_event', [
	DeliveredCallback,
	SentCallback,
	ReadCallback,
	PriceCallback,
	ClickCallback,
	InboundCallback,
]);
