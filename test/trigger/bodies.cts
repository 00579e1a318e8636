/** The callbacks of the contract, one of every kind, as its tables have them. */
const identity = {
	message_uuid: '6a1f3c1e-0000-4000-8000-000000000001',
	channel_type: 'VIBER',
	external_message_id: 'crm-17',
};
const cascade = { cascade_message_uuid: '6a1f3c1e-0000-4000-8000-00000000000c', cascade_step: 2 };

export const delivered = {
	...identity,
	...cascade,
	callback_event: 'delivered',
	status: 'delivered',
	status_time: '2026-03-02T07:00:05Z',
};
const undelivered = {
	...identity,
	callback_event: 'delivered',
	status: 'undelivered',
	status_time: '2026-03-03T08:00:00Z',
	error_code: 149,
};
const unsent = {
	...identity,
	callback_event: 'delivered',
	status: 'unsent',
	status_time: '2026-03-02T07:00:01Z',
	error_code: 999,
};
export const sent = {
	...identity,
	callback_event: 'sent',
	status: 'sent',
	status_time: '2026-03-02T07:00:02Z',
};
export const read = {
	...identity,
	callback_event: 'read',
	status: 'read',
	status_time: '2026-03-02T07:01:00Z',
};
const unread = { ...read, status: 'unread', status_time: '2026-03-03T08:00:05Z' };
export const price = {
	...identity,
	callback_event: 'price',
	parts: 2,
	price: 3.14,
	currency: 'RUB',
	price_time: '2026-03-02T07:00:06Z',
};
export const click = {
	...identity,
	callback_event: 'click',
	url: 'https://shop.example/tulips',
	short_url: 'https://s.example/a1',
	click_time: '2026-03-02T07:02:00Z',
};
export const inbound = {
	message_uuid: '6a1f3c1e-0000-4000-8000-000000000009',
	callback_event: 'inbound_sent',
	channel_type: 'WHATSAPP',
	status: 'inbound_sent',
	status_time: '2026-03-02T07:03:00Z',
	item: {
		createdTime: '2026-03-02T07:03:00Z',
		sentTime: '2026-03-02T07:02:59Z',
		sendingMethod: 'API',
		messageUuid: '6a1f3c1e-0000-4000-8000-000000000009',
		direction: 'inbound',
		channelType: 'WHATSAPP',
		trafficCenterId: 7,
		senderName: 'FLOWERS',
		destination: '79161234567',
		content: 'Are tulips in?',
		specialContent: { text: 'Are tulips in?', contentType: 'text' },
		totalParts: 1,
	},
};
export const dispatchDelivered = {
	event: 'delivered',
	messageUuid: '6a1f3c1e-0000-4000-8000-000000000d01',
	destination: '79161234567',
	status: 'DELIVERED',
	deliveredAt: '2026-03-02T10:00:05+03:00',
};
export const dispatchSent = {
	event: 'sent',
	messageUuid: '6a1f3c1e-0000-4000-8000-000000000d01',
	destination: '79161234567',
	status: 'SENT',
	sentAt: '2026-03-02T10:00:02+03:00',
};

export const ofMessages = {
	delivered,
	undelivered,
	unsent,
	sent,
	read,
	unread,
	price,
	click,
	inbound,
};
export const ofDispatches = { dispatchDelivered, dispatchSent };
