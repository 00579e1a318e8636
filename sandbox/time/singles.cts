import { countParts } from '../../core/recipients/parts';
import { Quote } from '../stored/budget.cts';
import { contentProblem, labelsProblem, timesProblem } from '../stored/contents.cts';
import { timesCharged } from '../api/dialect.cts';
import type { Message, SingleDetails } from '../stored/entities.cts';
import { shortenLinks } from './links.cts';
import type { CascadeStep, SingleInput } from '../api/messaging/calls.cts';
import { fromUnits } from '../stored/money.cts';
import { localOffset, nextAllowed, parseLocalTime, type SendingWindow } from './schedule.cts';
import {
	findSenderByName,
	isBlacklisted,
	needsNoSender,
	tariffOfSender,
} from '../stored/senders.cts';
import { accountLedger } from '../stored/store.cts';
import { trafficTypeOf } from '../stored/tariffs.cts';
import { isAuthorization } from '../stored/templates.cts';
import type { World } from '../stored/world.cts';

/** Why one message of a request was rejected: the `code` of its item, and the reason. */
export interface Problem {
	code: 400 | 402 | 403 | 404;
	problem: string;
}

const windowOf = ({ localSendTime, hours, days }: SingleDetails): SendingWindow => ({
	...(localSendTime !== undefined && { notBefore: parseLocalTime(localSendTime) }),
	hours,
	days,
	offset: localOffset,
});

export const isTooLate = ({ localCompletionTime }: SingleDetails, time: number): boolean =>
	localCompletionTime !== undefined && time >= parseLocalTime(localCompletionTime);

/** Plans the sending within the allowed hours. At the completion time, a message that isn't sent yet becomes unsent. */
export const planSending = ({ timeline, store }: World, message: Message): void => {
	const { single, uuid } = message;
	if (single === undefined) return;
	const earliest = Math.max(timeline.now, message.createdAt + store.settings.sentAfterMs);
	const allowed = nextAllowed(windowOf(single), earliest);
	const latest =
		single.localCompletionTime === undefined ? allowed : parseLocalTime(single.localCompletionTime);
	timeline.plan(Math.min(allowed, latest), { kind: 'single-send', uuid });
};

/** For messages that aren't plain sends. `steps` starts a cascade. */
interface Origin {
	cascade?: SingleDetails['cascade'];
	steps?: CascadeStep[];
	sendingMethod?: SingleDetails['sendingMethod'];
}

/** Checks, prices and stores one message and reserves its price, or returns why it was rejected. */
export const acceptSingle = (
	world: World,
	input: SingleInput,
	{ cascade, steps, sendingMethod = 'API' }: Origin = {},
): Message | Problem => {
	const { store, timeline } = world;
	const isStep = cascade !== undefined || steps !== undefined;
	const problem =
		contentProblem(world, input, isStep) ??
		labelsProblem(input) ??
		// The times of a cascade were checked when it was sent.
		(cascade === undefined ? timesProblem(timeline.now, input) : undefined);
	if (problem !== undefined) return { code: 400, problem };
	const sender = findSenderByName(store, input, timeline.now);
	// The verification module has its own sender name for every operator.
	const isNameless = sendingMethod === 'VERIFIER_API' || needsNoSender(store, input);
	if (sender === undefined && !isNameless) {
		const problem = `sender name ${input.senderName} is not approved for ${input.channelType} and this number`;
		return { code: 404, problem };
	}
	if (sender !== undefined && isBlacklisted(store, sender, input.destination)) {
		return { code: 403, problem: 'the number is blacklisted for the company of the sender name' };
	}
	const { content } = input;
	const written = typeof content === 'string' ? content : (content.text ?? '');
	const { text, links } =
		input.shortUrl === true ? shortenLinks(world, written) : { text: written, links: [] };
	const usualType = isAuthorization(store.authorizationTemplates, written)
		? 'AUTHORIZE'
		: trafficTypeOf(sender);
	const trafficType = input.trafficType ?? usualType;
	const parts = input.channelType === 'SMS' ? countParts(text).parts : 1;
	const ledger = store.ledger(accountLedger, timeline.now);
	const tariff = tariffOfSender(store, sender, trafficType);
	const times = timesCharged(store.settings.dialect, parts);
	const price = new Quote(ledger).price(tariff, input.destination, times);
	if (price > store.funds - ledger.reserved) {
		return { code: 402, problem: `the balance does not cover ${fromUnits(price)}` };
	}
	ledger.reserved += price;
	const uuid = world.uuid();
	const message: Message = {
		uuid,
		dispatchId: null,
		destination: input.destination,
		text,
		parts,
		state: 'created',
		senderId: sender?.id ?? null,
		reserved: price,
		price,
		final: false,
		createdAt: timeline.now,
		sentAt: null,
		statusAt: null,
		errorCode: null,
		reason: null,
		requestId: world.requests.note(uuid),
		single: {
			channelType: input.channelType,
			senderName: input.senderName,
			direction: 'outbound',
			sendingMethod,
			content: typeof content === 'string' ? text : { ...content, text },
			trafficType,
			trafficCenterId: store.settings.defaultTrafficCenterId,
			templateId: input.templateId,
			externalMessageId: input.externalMessageId,
			tags: input.tags,
			ttl: input.ttl,
			hours: input.hours,
			days: input.days,
			localSendTime: input.localSendTime,
			localCompletionTime: input.localCompletionTime,
			useLocalTime: input.useLocalTime ?? true,
			callbackUrl: input.callbackUrl,
			callbackEvents: input.callbackEvents,
			read: null,
			readAt: null,
			...(links.length > 0 && { links }),
			...(cascade && { cascade }),
			...(steps && {
				cascade: { rootUuid: uuid, step: 1 },
				plan: { steps, stopped: false, uuids: [uuid] },
			}),
		},
	};
	store.addSingle(message);
	planSending(world, message);
	return message;
};
