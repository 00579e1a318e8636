import type { z } from '../../vendor/zod';
import type {
	Company as CompanySchema,
	CompanyDocument as DocumentSchema,
} from '../../core/contract/company';
import type { Dispatch as DispatchSchema } from '../../core/contract/dispatch';
import type { PartnerMessage } from '../../core/contract/partner';
import type { Sender as SenderSchema } from '../../core/contract/sender';
import type {
	Company,
	CompanyDocument,
	Counters,
	Dispatch,
	Message,
	MessageState,
	Sender,
} from './entities.cts';
import type { ListedMessage } from '../api/messaging/calls.cts';
import { currency, fromUnits } from './money.cts';
import { brandIds, brandNames, operatorOf, placeOf } from './operators.cts';
import { accountLedger, type Store } from './store.cts';

export const isoOf = (time: number): string => new Date(time).toISOString();
const isoOrNull = (time: number | null) => (time === null ? null : isoOf(time));

/** We show an unlimited budget as null. How the service shows it is unknown. */
export const companyView = (company: Company): z.output<typeof CompanySchema> => ({
	companyId: company.id,
	name: company.name,
	counteragentName: company.counteragentName,
	counteragentInn: company.counteragentInn,
	status: company.status,
	budget: company.budget === null ? null : { value: fromUnits(company.budget), currency },
});

export const documentView = (document: CompanyDocument): z.output<typeof DocumentSchema> => ({
	id: document.id,
	companyId: document.companyId,
	filename: document.filename,
	createdAt: isoOf(document.createdAt),
});

export const senderView = (store: Store, sender: Sender): z.output<typeof SenderSchema> => {
	const company = store.companies.get(sender.companyId);
	return {
		id: sender.id,
		senderName: sender.senderName,
		channelType: sender.channelType,
		counteragentName: company?.counteragentName ?? '',
		counteragentInn: company?.counteragentInn ?? '',
		dateFrom: isoOf(sender.dateFrom),
		dateTo: isoOrNull(sender.dateTo),
		commonType: sender.commonType,
		brand: sender.brand,
		status: sender.status,
		suspended: sender.suspended,
		...(sender.suspendReason !== undefined && { suspendReason: sender.suspendReason }),
		fee: sender.fee === null ? null : fromUnits(sender.fee),
		managerComment: sender.managerComment,
		rejectedAt: isoOrNull(sender.rejectedAt),
		createdAt: isoOf(sender.createdAt),
	};
};

const countersView = ({ total, delivered, failed }: Counters) => ({
	total,
	delivered,
	failed,
	pending: total - delivered - failed,
});

export const dispatchView = (dispatch: Dispatch): z.output<typeof DispatchSchema> => ({
	id: dispatch.id,
	name: dispatch.name,
	status: dispatch.status,
	channelType: dispatch.channelType,
	parts: countersView(dispatch.partCount),
	messages: countersView(dispatch.messageCount),
	priceEstimate: fromUnits(dispatch.priceEstimate),
	createdAt: isoOf(dispatch.createdAt),
	startedAt: isoOrNull(dispatch.startedAt),
});

export const partnerStatus: Record<MessageState, 'CREATED' | 'SENT' | 'DELIVERED' | 'FAILED'> = {
	created: 'CREATED',
	sent: 'SENT',
	delivered: 'DELIVERED',
	undelivered: 'FAILED',
	unsent: 'FAILED',
	inbound_sent: 'DELIVERED',
};

export const partnerMessageView = (message: Message): z.output<typeof PartnerMessage> => {
	const brand = operatorOf(message.destination);
	return {
		messageUuid: message.uuid,
		destination: message.destination,
		text: message.text,
		parts: message.parts,
		status: partnerStatus[message.state],
		price: fromUnits(message.price),
		senderId: message.senderId,
		brandId: brand === undefined ? null : brandIds[brand],
		createdAt: isoOf(message.createdAt),
		sentAt: isoOrNull(message.sentAt),
		deliveredAt: message.state === 'delivered' ? isoOrNull(message.statusAt) : null,
	};
};

const priceView = ({ price, parts, final }: Message) => ({
	totalPrice: fromUnits(price),
	currency,
	invoicedParts: parts,
	final,
});

/** The messaging API calls a message that waits `sending`. */
const statusView = ({ state }: Message) => (state === 'created' ? 'sending' : state);

/** A message of either API in the format of `GET /v1/message`. */
export const apiMessageView = (store: Store, message: Message): ListedMessage => {
	const { single } = message;
	const dispatch =
		message.dispatchId === null ? undefined : store.dispatches.get(message.dispatchId);
	const sender = message.senderId === null ? undefined : store.senders.get(message.senderId);
	const brand = operatorOf(message.destination);
	return {
		createdTime: isoOf(message.createdAt),
		channelType: single?.channelType ?? dispatch?.channelType,
		// A dispatch of the account itself was made on the website.
		sendingMethod: single?.sendingMethod ?? (dispatch?.companyId === accountLedger ? 'UI' : 'API'),
		trafficType: single?.trafficType ?? null,
		templateId: single?.templateId ?? null,
		dispatchId: message.dispatchId,
		messageUuid: message.uuid,
		externalMessageId: single?.externalMessageId ?? null,
		trafficCenterId: single?.trafficCenterId ?? store.settings.defaultTrafficCenterId,
		senderName: single?.senderName ?? sender?.senderName ?? null,
		destination: message.destination,
		direction: single?.direction ?? 'outbound',
		brand: brand === undefined ? null : brandNames[brand],
		...placeOf(message.destination),
		content: single?.content ?? message.text,
		specialContent:
			single?.direction === 'inbound' ? { text: message.text, contentType: 'text' } : null,
		tags: single?.tags ?? null,
		ttl: single?.ttl ?? null,
		hours: single?.hours ?? null,
		days: single?.days ?? null,
		localSendTime: single?.localSendTime ?? null,
		localCompletionTime: single?.localCompletionTime ?? null,
		useLocalTime: single?.useLocalTime ?? null,
		callbackUrl: single?.callbackUrl ?? dispatch?.callbackUrl ?? null,
		callbackEvents: single?.callbackEvents ?? dispatch?.callbackEvents ?? null,
		totalParts: message.parts,
		price: priceView(message),
		sentTime: isoOrNull(message.sentAt),
		status: statusView(message),
		statusTime: isoOrNull(message.statusAt),
		readStatus: single?.read ?? null,
		readStatusTime: single === undefined ? null : isoOrNull(single.readAt),
		cascadeMessageUuid: single?.cascade?.rootUuid ?? null,
		cascadeStep: single?.cascade?.step ?? null,
		errorCode: message.errorCode,
	};
};
