import type { IExecuteFunctions } from 'n8n-workflow';
import { comparableName } from '../../../../../core/comparableName';
import type { NewDispatch } from '../../../../../core/contract/dispatch';
import type { WrittenBody, RequestOf } from '../../../../../core/contract/endpoint';
import { partner } from '../../../../../core/contract/partner';
import { list } from '../../../../../core/transport/list';
import { settled, type Outcome } from '../../../../../core/transport/outcome';
import { send } from '../../../../../core/transport/send';
import {
	readCreated,
	readDispatch,
	readMessage,
	type CreatedReply,
	type DispatchMessage,
	type DispatchState,
} from './replies';

export type DispatchHead = Omit<NewDispatch, 'messages'>;
export type AppendBody = RequestOf<typeof partner.dispatchAppend>['body'];

/** Where the service's responses go: their secrets are hidden, and the output 'Raw' shows them. */
export interface Calls {
	context: IExecuteFunctions;
	/** Texts that no error may show: the login in the callback URL. */
	secrets: readonly string[];
	onReply: (reply: unknown) => void;
}

const readReply = (calls: Calls, sent: Outcome<unknown>): Outcome<CreatedReply> => {
	if (sent.is !== 'done') return sent;
	calls.onReply(sent.value);
	return { is: 'done', value: readCreated(sent.value) };
};

export const createDispatch = async (
	calls: Calls,
	body: WrittenBody<NewDispatch>,
): Promise<Outcome<CreatedReply>> => {
	const { context, secrets } = calls;
	const sent = send(context, partner.dispatchCreate, { body }, { secrets });
	return readReply(calls, await settled<unknown>(sent));
};

export const appendMessages = async (
	calls: Calls,
	id: number,
	body: WrittenBody<AppendBody>,
): Promise<Outcome<CreatedReply>> => {
	const { context, secrets } = calls;
	const sent = send(context, partner.dispatchAppend, { path: { id }, body }, { secrets });
	return readReply(calls, await settled<unknown>(sent));
};

/** The dispatch as the service shows it now. Throws if it can't be read, or if the response is about another dispatch. */
export const getDispatch = async (
	{ context }: Pick<Calls, 'context'>,
	id: number,
): Promise<DispatchState> => {
	const state = readDispatch(await send(context, partner.dispatchGet, { path: { id } }));
	if (state !== undefined) return state;
	throw new Error(`The service's response doesn't show dispatch ${id}`);
};

/** The messages in a dispatch. Throws if the list is incomplete or an entry in it can't be read. */
export const messagesIn = async (
	{ context }: Pick<Calls, 'context'>,
	id: number,
	/** All, if missing. */
	limit?: number,
): Promise<DispatchMessage[]> => {
	const query = { dispatchId: id };
	const entries = await list(context, partner.messageList, { query }, { pageSize: 1_000, limit });
	return entries.map((entry) => {
		const message = readMessage(entry);
		if (message !== undefined) return message;
		throw new Error(`The service lists a message in dispatch ${id} without a number or an ID`);
	});
};

/** All dispatches of a company. An entry without a name or an ID is an error, because it may be the one we look for. */
export const listDispatches = async (
	context: IExecuteFunctions,
	companyId: number,
): Promise<DispatchState[]> => {
	const query = { companyId };
	const entries = await list(context, partner.dispatchList, { query }, { pageSize: 1_000 });
	return entries.map((entry) => {
		const dispatch = readDispatch(entry);
		if (dispatch?.name !== undefined) return dispatch;
		throw new Error(
			"The service lists a dispatch without a name or an ID, so the node can't identify it",
		);
	});
};

export const haveName = (dispatches: readonly DispatchState[], name: string): DispatchState[] => {
	const wanted = comparableName(name);
	return dispatches.filter((one) => comparableName(one.name ?? '') === wanted);
};
