import { z } from '../../vendor/zod';
import { from } from './provenance';
import { Datetime, Int, looseObject } from './values';

const MessagePrice = looseObject(
	from('page', {
		totalPrice: z.number().optional(),
		currency: z.string().optional(),
		invoicedParts: Int.optional(),
		final: z.boolean().optional(),
	}),
);

/** The message object of `GET /v1/message`, also the `item` of an inbound callback. */
export const ApiMessage = looseObject({
	messageUuid: z.string(),
	channelType: z.string().optional(),
	direction: z.string().optional(),
	senderName: z.string().nullish(),
	destination: z.string().optional(),
	content: z.union([z.string(), looseObject({})]).nullish(),
	specialContent: looseObject({
		text: z.string().optional(),
		contentType: z.string().optional(),
	}).nullish(),
	readStatus: z.string().nullish(),
	readStatusTime: z.string().nullish(),
	totalParts: Int.nullish(),
	createdTime: Datetime.nullish(),
	sentTime: Datetime.nullish(),
	sendingMethod: z.string().nullish(),
	trafficCenterId: Int.nullish(),
	ttl: Int.nullish(),
	hours: z.array(Int).nullish(),
	days: z.array(Int).nullish(),
	localSendTime: z.string().nullish(),
	localCompletionTime: z.string().nullish(),
	useLocalTime: z.boolean().nullish(),
	callbackUrl: z.string().nullish(),
	callbackEvents: z.array(z.string()).nullish(),
	cascadeMessageUuid: z.string().nullish(),
	cascadeStep: Int.nullish(),
	...from('page', {
		externalMessageId: z.string().nullish(),
		status: z.string().nullish(),
		statusTime: z.string().nullish(),
		errorCode: Int.nullish(),
		price: MessagePrice.nullish(),
		trafficType: z.string().nullish(),
		templateId: Int.nullish(),
		dispatchId: Int.nullish(),
		brand: z.string().nullish(),
		country: z.string().nullish(),
		region: z.string().nullish(),
		tags: z.array(z.string()).nullish(),
	}),
});

/** A public reference's example has the second name, with a g too many. */
export const sendingMethodIn = (message: Readonly<Record<string, unknown>>): unknown =>
	message.sendingMethod ?? message.sendingMethodg;
