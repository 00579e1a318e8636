import type { IDataObject } from 'n8n-workflow';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import type { Sandbox } from '../../sandbox/sandbox.cts';
import { firstNew, numberOf, senderIds } from './recipients.cts';

/** A dispatch of so many recipients on all four operators. Its id is `firstNew`. */
export const addDispatch = async (
	sandbox: Sandbox,
	destinations: number | readonly string[],
	name = 'Spring sale',
) => {
	const numbers =
		typeof destinations === 'number'
			? Array.from({ length: destinations }, (_, index) => numberOf(index))
			: destinations;
	await sandbox.client().call(partner.dispatchCreate, {
		body: {
			companyId: demo.companies.flowers,
			name,
			senderIds,
			channelType: 'SMS',
			text: 'Hello',
			messages: numbers.map((destination) => ({ destination })),
		},
	});
};

export const start = async (sandbox: Sandbox) =>
	await sandbox.client().call(partner.dispatchStart, { path: { id: firstNew } });

/** From now on the service answers this call so, whatever it holds. */
export const answerWith = (sandbox: Sandbox, path: string, body: unknown, status = 200): void => {
	sandbox.faults.add({
		kind: 'status',
		status,
		times: 1_000,
		match: { method: 'GET', path },
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
};

/** A message as the contract has it, delivered after ten seconds. */
export const delivered: IDataObject = {
	messageUuid: 'u-1',
	destination: demo.numbers.mts,
	text: 'Hello',
	parts: 2,
	status: 'DELIVERED',
	price: 2.5,
	senderId: demo.senders.mts,
	brandId: 1,
	createdAt: '2026-03-02T07:00:00Z',
	sentAt: '2026-03-02T07:00:00Z',
	deliveredAt: '2026-03-02T10:00:10+03:00',
};

/** A dispatch as the contract has it. */
export const dispatchOf = (total: number): IDataObject => ({
	id: demo.dispatches.spring,
	name: 'Spring bouquets',
	status: 'COMPLETED',
	channelType: 'SMS',
	parts: { total, delivered: total, failed: 0, pending: 0 },
	messages: { total, delivered: total, failed: 0, pending: 0 },
	priceEstimate: 10,
	createdAt: '2026-03-02T06:59:00Z',
	startedAt: '2026-03-02T07:00:00Z',
});

/** The service holds one dispatch with these messages, each with an ID of its own. */
export const answerMessages = (
	sandbox: Sandbox,
	messages: readonly IDataObject[],
	dispatch: IDataObject = dispatchOf(messages.length),
): void => {
	const items = messages.map((message, index) => ({ ...message, messageUuid: `u-${index}` }));
	answerWith(sandbox, '/dispatches/{id}', dispatch);
	answerWith(sandbox, '/messages', { page: 1, perPage: 100, total: items.length, items });
};
