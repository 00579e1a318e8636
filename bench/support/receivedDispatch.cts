import { digitsOf } from './recipients.cts';

/** The endpoints of one dispatch, with next to no work: what came is kept as it is and looked at later. */

const time = '2026-01-01T00:00:00Z';
export const dispatchId = 1;
export const senderId = 11;

export const senders = [
	{
		id: senderId,
		senderName: 'BENCH',
		channelType: 'SMS',
		counteragentName: 'Bench',
		counteragentInn: '7700000000',
		dateFrom: time,
		dateTo: null,
		commonType: 'COMMON',
		brand: 'MTS',
		status: 'APPROVED',
		suspended: false,
		fee: null,
		managerComment: null,
		rejectedAt: null,
		createdAt: time,
	},
];

const names = /"name":"(Bench [^"]*)"/;
const destinations = /"destination":"(\d+)"/g;

const accepted = (destination: string) =>
	`{"destination":"${destination}","messageUuid":"00000000-0000-4000-8000-${destination.padStart(12, '0')}","parts":1,"senderId":${senderId}}`;

export class ReceivedDispatch {
	/** The requests that brought recipients, as they came. */
	readonly bodies: string[] = [];

	constructor(private readonly id: number) {}

	private count = 0;
	private name = '';

	/** The reply to creating and to appending, as JSON. Parsing the body would cost more than all the rest. */
	receive(body: string): string {
		this.bodies.push(body);
		this.name ||= names.exec(body)?.[1] ?? '';
		const messages = Array.from(body.matchAll(destinations), ([, digits]) => accepted(digits));
		const { length } = messages;
		this.count += length;
		return `{"id":${this.id},"status":"CREATED","priceEstimate":{"total":${this.count},"currency":"RUB","parts":${this.count}},"total":${length},"success":${length},"failed":0,"messages":[${messages.join(',')}]}`;
	}

	get state() {
		const counters = { total: this.count, delivered: 0, failed: 0, pending: this.count };
		return {
			id: this.id,
			name: this.name,
			status: 'CREATED',
			channelType: 'SMS',
			parts: counters,
			messages: counters,
			priceEstimate: this.count,
			createdAt: time,
			startedAt: null,
		};
	}
}

/** The messages of a dispatch that the company has sent before, as JSON: one, to the first person of every list. */
export const earlierMessages = (): string =>
	`{"page":1,"perPage":100,"total":1,"items":[${accepted(digitsOf(0))}]}`;

/** One that the company has sent before: number 1 is the oldest. */
export const earlierDispatch = (number: number) => {
	const counters = { total: 1, delivered: 1, failed: 0, pending: 0 };
	return {
		// Not the ID of the finished dispatch with a report.
		id: dispatchId + 1 + number,
		name: `Earlier ${number}`,
		status: 'COMPLETED',
		channelType: 'SMS',
		parts: counters,
		messages: counters,
		priceEstimate: 1,
		createdAt: time,
		startedAt: time,
	};
};
