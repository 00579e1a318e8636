import type { z } from '../../vendor/zod';
import type { DispatchEventName, MessageEventName } from '../../core/contract/events';
import type * as values from '../../core/contract/values';
import type { CascadeStep, SingleInput, StoredContent } from '../api/messaging/calls.cts';
import type { Units } from './money.cts';
import type { Brand } from './operators.cts';
import type { SendingWindow } from '../time/schedule.cts';

type SenderStatus = z.infer<typeof values.SenderStatus>;
type CommonType = z.infer<typeof values.CommonType>;
type DispatchStatus = z.infer<typeof values.DispatchStatus>;

/** Times are milliseconds since 1970. Views turn them into ISO 8601. */
export interface Company {
	id: number;
	name: string;
	counteragentType: z.infer<typeof values.CounteragentType>;
	counteragentName: string;
	counteragentInn: string;
	counteragentAddress?: string;
	counteragentKpp?: string;
	actualAddress?: string;
	status: z.infer<typeof values.CompanyStatus>;
	/** The most it may spend in a month, or null for unlimited. */
	budget: Units | null;
	updatedAt: number;
}

export interface CompanyDocument {
	id: string;
	companyId: number;
	filename: string;
	contentType: string;
	size: number;
	createdAt: number;
}

export interface Sender {
	id: number;
	companyId: number;
	senderName: string;
	channelType: string;
	commonType: CommonType;
	brand: Brand;
	countryId: number;
	description?: string;
	documentIds: string[];
	dateFrom: number;
	dateTo: number | null;
	status: SenderStatus;
	suspended: boolean;
	suspendReason?: string;
	fee: Units | null;
	managerComment: string | null;
	rejectedAt: number | null;
	createdAt: number;
}

/**
 * One state for both APIs. The partner API shows `undelivered` and `unsent` as FAILED; a message that was rejected on
 * creation is `unsent` from the start.
 */
export type MessageState =
	| 'created'
	| 'sent'
	| 'delivered'
	| 'undelivered'
	| 'unsent'
	| 'inbound_sent';

export interface Message {
	uuid: string;
	dispatchId: number | null;
	destination: string;
	/** The final text, with placeholder values and short links filled in. */
	text: string;
	parts: number;
	state: MessageState;
	senderId: number | null;
	/** Reserved until the price is final. The final price is never above it. */
	reserved: Units;
	price: Units;
	final: boolean;
	createdAt: number;
	sentAt: number | null;
	statusAt: number | null;
	errorCode: number | null;
	/** Why it was rejected or failed. Only the control routes and the page show it. */
	reason: string | null;
	/** The request that created it. Messages that no request of an API created have none. */
	requestId?: number;
	/** It was stopped and becomes unsent in a moment. */
	isStopping?: true;
	/** Present for messages of the messaging API. */
	single?: SingleDetails;
}

export interface SingleDetails {
	channelType: string;
	senderName: string;
	direction: 'inbound' | 'outbound';
	sendingMethod: 'API' | 'UI' | 'VERIFIER_API' | 'VERIFIER_WIDGET' | 'INBOUND';
	content: StoredContent;
	trafficType: string;
	trafficCenterId: number;
	templateId?: SingleInput['templateId'];
	externalMessageId?: string;
	tags?: string[];
	/** Seconds. */
	ttl?: number;
	hours?: number[];
	days?: number[];
	localSendTime?: string;
	localCompletionTime?: string;
	useLocalTime: boolean;
	callbackUrl?: string;
	callbackEvents?: MessageEventName[];
	read: 'read' | 'unread' | null;
	readAt: number | null;
	links?: ShortLink[];
	cascade?: { rootUuid: string; step: number };
	/** The plan of the whole cascade, on its first message only. */
	plan?: CascadePlan;
}

export interface CascadePlan {
	steps: CascadeStep[];
	stopped: boolean;
	/** The messages sent so far. */
	uuids: string[];
}

export interface ShortLink {
	code: string;
	url: string;
	shortUrl: string;
	/** How often it was clicked. */
	clicks?: number;
	lastClickAt?: number;
}

export interface Counters {
	total: number;
	delivered: number;
	failed: number;
}

export interface Dispatch {
	id: number;
	companyId: number;
	name: string;
	status: DispatchStatus;
	channelType: string;
	text: string;
	senderIds: number[];
	window: SendingWindow | null;
	callbackUrl?: string;
	callbackEvents: DispatchEventName[];
	messages: Message[];
	messageCount: Counters;
	partCount: Counters;
	priceEstimate: Units;
	createdAt: number;
	startedAt: number | null;
	/** The request that started it last, if it was one of an API. */
	startRequestId?: number;
	/** How often it was started. A send that was planned before a stop belongs to an older run and is ignored. */
	run: number;
	/** The position of the first message that no run has reached yet. */
	cursor: number;
	/** Increases with every change of a message, so that filtered lists can be cached. */
	version: number;
}

export interface Token {
	issuedAt: number;
	expiresAt: number;
}

/**
 * Types 1 to 4 of the reference: messages and dispatches, sender names and templates, the verifier, the widget on a website
 * builder's site. FULL can call everything; only the sandbox has it.
 */
export const keyTypes = ['FULL', 'MESSAGES', 'ENTITIES', 'VERIFIER', 'WIDGET'] as const;
export type KeyType = (typeof keyTypes)[number];

export interface ApiKey {
	type: KeyType;
	active: boolean;
	/** Allowed IP addresses. If empty, all are allowed. */
	ips: string[];
}

/** The contract mentions templates but shows no fields or calls for them. Here a template is a text with `{placeholders}`. */
export interface AuthorizationTemplate {
	text: string;
}

/** A registered text of the messaging API. */
export interface Template {
	id: number;
	channelType: string;
	templateType: string;
	/** With operands such as `%w`. Null for WhatsApp, which has `content`. */
	pattern: string | null;
	dateFrom: number;
	dateTo: number | null;
	senderNameId: number | null;
	senderName: string | null;
	brand: string | null;
	countryCode: string | null;
	managerComment: string | null;
	status: string;
	createdAt: number;
	rejectedAt: number | null;
	content: { header: { text: string } } | null;
}

export interface InboundRule {
	trafficCenterId: number;
	callbackUrl: string;
	/** Without it, the rule applies to all inbound messages of the channel. */
	senderNames?: string[];
}

/** A code that the service generated. */
export interface SentCode {
	code: string;
	sentAt: number;
	checks: number;
}

export interface Verification {
	messageUuid: string;
	status: 'PENDING' | 'CONFIRMED';
}
