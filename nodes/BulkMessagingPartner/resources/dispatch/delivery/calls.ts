import type { IExecuteFunctions } from 'n8n-workflow';
import type { NewDispatch } from '../../../../../core/contract/dispatch';
import { WrittenBody, type RequestOf } from '../../../../../core/contract/endpoint';
import { partner } from '../../../../../core/contract/partner';
import { connect } from '../../../../../core/transport/connection';
import { find, list } from '../../../../../core/transport/list';
import { lookUntilThere, UnsettledError } from '../../../../../core/transport/lookThenSend';
import { send } from '../../../../../core/transport/send';
import { withoutSecrets } from '../../../../../core/transport/redact';
import { Witness, witnessOf } from '../../../../../core/transport/witness';
import { orderOf, type ListOrder } from './matching';
import {
	readCreated,
	readMessages,
	readState,
	type CreatedReply,
	type DispatchMessage,
	type DispatchState,
} from './replies';

export type DispatchHead = Omit<NewDispatch, 'messages'>;
export type AppendBody = RequestOf<typeof partner.dispatchAppend>['body'];

/** A dispatch in a list. Its ID and name are required to identify it. */
export type ListedDispatch = DispatchState & { id: number; name: string };

/** Normalizes a name before comparing: a service may trim it or store it in another Unicode form. */
export const comparableName = (name: string) => name.normalize('NFC').trim().replace(/\s+/g, ' ');

export const uncounted = () =>
	new UnsettledError("The service doesn't report how many messages the dispatch contains");
export const unlisted = () =>
	new UnsettledError("The service doesn't list all the messages it counts in the dispatch");
const mistaken = () =>
	new UnsettledError('The service returned a different dispatch than the requested one');
const unnamed = () =>
	new UnsettledError(
		"The service lists a dispatch without a name or an ID, so the node can't identify it",
	);

/** Remembers which of a company's dispatches the list has shown, even across runs in this process. */
const witnessFor = async (context: IExecuteFunctions, companyId: number): Promise<Witness> => {
	const { identity } = await connect(context, 'partner');
	return witnessOf(`${identity} ${companyId}`);
};

/** A company's dispatches. An entry without a name or an ID is an error, because it may be the one we look for. */
export const listDispatches = async (
	context: IExecuteFunctions,
	query: { companyId: number; status?: 'CREATED' },
): Promise<ListedDispatch[]> => {
	const witness = await witnessFor(context, query.companyId);
	const entries = await list(context, partner.dispatchList, { query });
	return entries.map(readState).map((dispatch) => {
		const { id, name } = dispatch;
		if (name === undefined || id === undefined) throw unnamed();
		witness.see(String(id));
		return { ...dispatch, id, name };
	});
};

/** The requests for delivering one dispatch, and what is remembered from their responses. */
export class DispatchCalls {
	/** The dispatch's name, if this run created it. */
	name: string | undefined;

	/** `messages.total` when the dispatch was last read. */
	seenTotal: number | undefined;

	/** Which end of the message list is the newest. Known once the list has shown two different times. */
	order: ListOrder;

	/** The dispatch as it was last read; `undefined` if it may have changed since. */
	private known: DispatchState | undefined;

	/** What is known about the account's list of dispatches. */
	private witness = new Witness();

	/** The service's unchanged responses, if the output shows them. */
	readonly replies: unknown[] | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly secrets: readonly string[] | undefined,
		public dispatchId?: number,
		keepsReplies = false,
	) {
		this.replies = keepsReplies ? [] : undefined;
	}

	get cancelled() {
		return this.context.getExecutionCancelSignal();
	}

	private get id(): number {
		return this.dispatchId ?? 0;
	}

	/** Removes the callback login, which a service may repeat in its response. */
	keep(reply: unknown): void {
		this.replies?.push(withoutSecrets(reply, this.secrets ?? []));
	}

	async remember(companyId: number): Promise<void> {
		this.witness = await witnessFor(this.context, companyId);
	}

	async create(head: DispatchHead, messages: AppendBody['messages']): Promise<CreatedReply> {
		const reply: unknown = await send(
			this.context,
			partner.dispatchCreate,
			{ body: new WrittenBody({ ...head, messages }) },
			{ secrets: this.secrets },
		);
		this.keep(reply);
		return readCreated(reply);
	}

	/** The service accepted a dispatch with this ID, so its list should show it from now on. */
	accepted(id: number | undefined): void {
		this.witness.accept(String(id));
	}

	async append(body: WrittenBody<AppendBody>): Promise<CreatedReply> {
		this.changed();
		const reply: unknown = await send(
			this.context,
			partner.dispatchAppend,
			{ path: { id: this.id }, body },
			{ secrets: this.secrets },
		);
		this.keep(reply);
		return readCreated(reply);
	}

	/** The dispatch as the service shows it. A different name or ID is an error: nothing may be added to another dispatch. */
	async state(): Promise<DispatchState> {
		const state = readState(
			await send(this.context, partner.dispatchGet, { path: { id: this.id } }),
		);
		const isOther =
			(state.id !== undefined && state.id !== this.id) ||
			(this.name !== undefined &&
				state.name !== undefined &&
				comparableName(state.name) !== comparableName(this.name));
		if (isOther) throw mistaken();
		this.seenTotal = state.total;
		this.known = state;
		return state;
	}

	/** The last state that was read, unless something was sent to the service since. */
	async current(): Promise<DispatchState> {
		return this.known ?? (await this.state());
	}

	/** Call this after sending anything that may have changed the dispatch. */
	changed(): void {
		this.known = undefined;
	}

	/** All messages in the dispatch; `undefined` if the length of the list doesn't match the dispatch's own count. */
	async completeList(): Promise<DispatchMessage[] | undefined> {
		const { total } = await this.state();
		if (total === undefined) throw uncounted();
		const entries = await list(this.context, partner.messageList, {
			query: { dispatchId: this.id },
		});
		const messages = readMessages(entries);
		if (messages === undefined) throw unlisted();
		this.order = orderOf(entries) ?? this.order;
		return messages.length === total ? messages : undefined;
	}

	async wholeList(): Promise<DispatchMessage[]> {
		let all: DispatchMessage[] | undefined;
		await lookUntilThere(async () => {
			all = await this.completeList();
			return all !== undefined;
		}, this.cancelled);
		if (all === undefined) throw unlisted();
		return all;
	}

	/** The IDs of all dispatches with this name that aren't started. */
	async namesakes({ companyId, name }: DispatchHead): Promise<number[]> {
		const listed = await listDispatches(this.context, { companyId, status: 'CREATED' });
		const wanted = comparableName(name);
		return listed.flatMap((one) => (comparableName(one.name) === wanted ? [one.id] : []));
	}

	/**
	 * Whether the list would show our dispatch by now: it must already have listed another dispatch within the time that has
	 * passed since ours was sent.
	 */
	async isListed({ companyId }: DispatchHead, sentAt: number): Promise<boolean> {
		const { newestId } = this.witness;
		if (newestId === undefined) return false;
		const isNewest = (entry: Record<string, unknown>) => String(readState(entry).id) === newestId;
		const found = await find(
			this.context,
			partner.dispatchList,
			{ query: { companyId } },
			isNewest,
		).catch(() => undefined);
		if (found === undefined) return false;
		this.witness.see(newestId);
		return this.witness.listsWithin(Date.now() - sentAt);
	}
}
