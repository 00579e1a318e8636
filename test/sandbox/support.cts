import { dispatchEndpoints } from '../../core/contract/dispatch';
import type { RequestOf } from '../../core/contract/endpoint';
import { messaging } from '../../core/contract/messaging';
import { CallError } from '../../sandbox/client.cts';
import { demo } from '../../sandbox/demo.cts';
import { createSandbox, type SandboxOptions } from '../../sandbox/sandbox.cts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export const { mts, beeline, megafon, tele2 } = demo.numbers;
const fourSenders = [
	demo.senders.mts,
	demo.senders.beeline,
	demo.senders.megafon,
	demo.senders.tele2,
];

export type Send = RequestOf<typeof messaging.messageSend>['body'][number];
export const message = (fields: Partial<Send> = {}): Send => ({
	channelType: 'SMS',
	senderName: demo.senderNames.sms,
	destination: mts,
	content: 'Hello',
	...fields,
});

/** A fresh sandbox with its typed client, and with the callbacks it sent. */
export const open = (options: SandboxOptions = {}) => {
	const sandbox = createSandbox(options);
	// Tests let months pass; those about tokens say so.
	sandbox.world.store.settings.tokenLifetimeMs = 1_000 * day;
	const { call, send, forgetToken } = sandbox.client();
	const control = async (method: string, path: string, body?: unknown) => {
		const response = await sandbox.fetch(`${sandbox.urls.controlUrl}${path}`, {
			method,
			...(body !== undefined && {
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			}),
		});
		const reply: unknown = await response.json();
		if (response.status !== 200) throw new Error(`${response.status}: ${JSON.stringify(reply)}`);
		return reply;
	};

	/** A request that the nodes' own schemas might not let pass: a POST if it has a body. */
	const ask = async (path: string, body?: unknown, key: string = demo.apiKey) =>
		await sandbox.fetch(`${sandbox.urls.messagingUrl}${path}`, {
			headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
			...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
		});
	const sendAll = async (...body: Send[]) => await call(messaging.messageSend, { body });

	type NewDispatch = RequestOf<typeof dispatchEndpoints.dispatchCreate>['body'];
	const createDispatch = async (dispatch: Partial<NewDispatch> = {}) =>
		await call(dispatchEndpoints.dispatchCreate, {
			body: {
				companyId: demo.companies.flowers,
				name: 'Test',
				senderIds: fourSenders,
				channelType: 'SMS',
				text: 'Hello',
				messages: [{ destination: mts }],
				...dispatch,
			},
		});
	const start = async (id: number) => await call(dispatchEndpoints.dispatchStart, { path: { id } });
	const stop = async (id: number) => await call(dispatchEndpoints.dispatchStop, { path: { id } });
	const get = async (id: number) => await call(dispatchEndpoints.dispatchGet, { path: { id } });
	const ledger = (company: number = demo.companies.flowers) =>
		sandbox.world.store.ledger(company, sandbox.now);
	return {
		...{ sandbox, call, send, forgetToken, control, ask, sendAll },
		...{ createDispatch, start, stop, get, ledger },
	};
};

/** The refusal of a call, for `expect(await refusal(...)).toMatchObject({status, code})`. */
export const refusal = async (call: Promise<unknown>): Promise<CallError> => {
	const error: unknown = await call.then(
		() => 'it was carried out',
		(reason: unknown) => reason,
	);
	if (error instanceof CallError) return error;
	throw new Error(`not a refusal: ${String(error)}`);
};
