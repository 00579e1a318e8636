import { badRequest } from '../api/apiError.cts';
import { reportInbound } from './callbacks.cts';
import type { InboundRule, Message } from '../stored/entities.cts';
import type { World } from '../stored/world.cts';

/** A rule for the sender name has priority over a rule for all sender names. */
const ruleFor = (rules: readonly InboundRule[], senderName: string): InboundRule | undefined =>
	rules.find(({ senderNames }) => senderNames?.includes(senderName)) ??
	rules.find(({ senderNames }) => senderNames === undefined || senderNames.length === 0);

/**
 * "Inbound messages are available only for the channel WHATSAPP, and only after the feature is enabled." Those that
 * match no rule go to the default traffic center and aren't reported.
 */
export const receiveInbound = (
	world: World,
	input: { channelType: string; senderName: string; destination: string; text: string },
): Message => {
	const { store, timeline } = world;
	if (input.channelType !== 'WHATSAPP') throw badRequest('channelType: must be "WHATSAPP"');
	if (!store.settings.inboundEnabled) throw badRequest('inbound messages are not enabled');
	const rule = ruleFor(store.inboundRules, input.senderName);
	const message: Message = {
		uuid: world.uuid(),
		dispatchId: null,
		destination: input.destination,
		text: input.text,
		parts: 1,
		state: 'inbound_sent',
		senderId: null,
		reserved: 0,
		price: 0,
		final: true,
		createdAt: timeline.now,
		sentAt: timeline.now,
		statusAt: timeline.now,
		errorCode: null,
		reason: null,
		single: {
			channelType: input.channelType,
			senderName: input.senderName,
			direction: 'inbound',
			sendingMethod: 'INBOUND',
			content: input.text,
			trafficType: 'SERVICE',
			trafficCenterId: rule?.trafficCenterId ?? store.settings.defaultTrafficCenterId,
			useLocalTime: true,
			read: null,
			readAt: null,
		},
	};
	store.addSingle(message);
	if (rule !== undefined) reportInbound(world, message, rule);
	return message;
};
