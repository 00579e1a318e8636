import { randomBytes } from 'node:crypto';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import type { Endpoint, RequestOf, WrittenRequestOf } from '../../core/contract/endpoint';
import type { RetryPolicy } from '../../core/transport/outcome';
import { send, type SendOptions } from '../../core/transport/send';
import type { Credentials } from '../support/n8n.cts';
import { attempt, type Attempted } from '../support/transportNode.cts';
import { messagingCredential } from './service.cts';

/** Pauses too short to notice: the tests count requests, not seconds. */
export const quick: RetryPolicy = { attempts: 4, firstPauseMs: 1, longestPauseMs: 50 };

/** One call of the transport in an execution of its own. */
export const trySend = async <E extends Endpoint>(
	credentials: Credentials,
	endpoint: E,
	request: RequestOf<E> | WrittenRequestOf<E>,
	options: SendOptions = {},
): Promise<Attempted> =>
	await attempt(
		credentials,
		async (context) => await send(context, endpoint, request, { retry: quick, ...options }),
	);

/** A call of the messaging API, with an API key. */
export const askBalance = async (
	url: string,
	credential: Record<string, string> = {},
	options: SendOptions = {},
) =>
	await trySend(messagingCredential(`${url}/api/v1`, credential), messaging.balance, {}, options);

const time = '2026-03-01T10:00:00Z';
const counters = { total: 1, delivered: 0, failed: 0, pending: 1 };

export const dispatch = {
	id: 5,
	name: 'Spring',
	status: 'CREATED',
	channelType: 'SMS',
	parts: counters,
	messages: counters,
	priceEstimate: 1.5,
	createdAt: time,
};
const dispatchCreated = {
	id: 5,
	status: 'CREATED',
	priceEstimate: { total: 1.5, currency: 'RUB', parts: 1 },
	total: 1,
	success: 1,
	failed: 0,
	messages: [{ destination: '79120000001', messageUuid: 'u-1', parts: 1, senderId: 7 }],
};
export const company = {
	companyId: 5,
	name: 'Five',
	counteragentName: 'Five LLC',
	counteragentInn: '7700000000',
	status: 'ACTIVE',
};
export const companyUpdated = { companyId: 5, updatedAt: time };
const companyCreated = { companyId: 5 };
const companyDocument = { id: 'd-1', companyId: 5, filename: 'a.pdf', createdAt: time };
export const sender = {
	id: 5,
	senderName: 'FIVE',
	channelType: 'SMS',
	counteragentName: 'Five LLC',
	counteragentInn: '7700000000',
	dateFrom: time,
	dateTo: null,
	commonType: 'COMMON',
	brand: 'MTS',
	status: 'APPROVED',
	suspended: true,
	fee: null,
	managerComment: null,
	rejectedAt: null,
	createdAt: time,
};

interface SampleCall {
	name: string;
	/** The status and the body of a good answer. */
	status: number;
	reply: object;
	run(credentials: Credentials, options?: SendOptions): Promise<Attempted>;
}

const sample = <E extends Endpoint>(
	endpoint: E,
	request: RequestOf<E>,
	reply: object,
): SampleCall => ({
	name: `${endpoint.method} ${endpoint.path}`,
	status: endpoint.status,
	reply,
	run: async (credentials, options) => await trySend(credentials, endpoint, request, options),
});

export const getDispatch = sample(partner.dispatchGet, { path: { id: 5 } }, dispatch);

export const createCompany = sample(
	partner.companyCreate,
	{ body: { company: { name: 'Five', counteragentType: 'LEGAL', counteragentInn: '7700000000' } } },
	companyCreated,
);

/** Calls that may be repeated although the outcome of the first attempt is not known. */
export const repeatableCalls: SampleCall[] = [
	getDispatch,
	sample(partner.companyUpdate, { path: { id: 5 }, body: { name: 'Five' } }, companyUpdated),
	sample(partner.senderSuspend, { path: { id: 5 }, body: { reason: 'pause' } }, sender),
];

/** Calls that may be sent twice only when the first was certainly not carried out. */
export const unrepeatableCalls: SampleCall[] = [
	createCompany,
	sample(
		partner.dispatchCreate,
		{
			body: {
				companyId: 5,
				name: 'Spring',
				senderIds: [7],
				channelType: 'SMS',
				text: 'Hello',
				messages: [{ destination: '79120000001' }],
			},
		},
		dispatchCreated,
	),
	// A form.
	sample(
		partner.documentUpload,
		{
			path: { id: 5 },
			body: {
				file: { filename: 'a.pdf', contentType: 'application/pdf', bytes: randomBytes(1_000) },
			},
		},
		companyDocument,
	),
];
