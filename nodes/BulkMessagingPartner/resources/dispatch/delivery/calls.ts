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

/** A dispatch of a list, where each is told from the others. */
export type ListedDispatch = DispatchState & { id: number; name: string };

/** Names as a service may store them: without blanks around them, in one of Unicode's two spellings. */
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

/** What was seen of a company's dispatches before, also in earlier runs of this process. */
const witnessFor = async (context: IExecuteFunctions, companyId: number): Promise<Witness> => {
	const { identity } = await connect(context, 'partner');
	return witnessOf(`${identity} ${companyId}`);
};

/** A company's dispatches. One without a name or an ID may be the one that is looked for, so it is an error. */
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

/** What the delivery of one dispatch asks of the service, and what it remembers of the answers. */
export class DispatchCalls {
	/** What the dispatch is called, where this run created it. */
	name: string | undefined;

	/** `messages.total` at the last look. */
	seenTotal: number | undefined;

	/** Which end of the message list is the newest, once it has shown two different times. */
	order: ListOrder;

	/** The dispatch as it was read last. */
	private known: DispatchState | undefined;

	/** What is known about the account's list of dispatches. */
	private witness = new Witness();

	/** The service's answers as they came, where somebody wants to see them. */
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

	/** Without the login for callbacks, wherever a service repeats it. */
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

	/** The ID of a dispatch that the service accepted: from now on its list is expected to show it. */
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

	/** The dispatch as the service shows it. One of another name or ID is not ours: nothing may be added or started. */
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

	/** The same as it was read last, where nothing has been sent to the service since. */
	async current(): Promise<DispatchState> {
		return this.known ?? (await this.state());
	}

	/** Something was sent to the service that may have changed the dispatch. */
	changed(): void {
		this.known = undefined;
	}

	/** Everything the dispatch holds; `undefined` as long as the list shows fewer messages than the dispatch counts. */
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

	/** The IDs of the dispatches of this name that are not started. */
	async namesakes({ companyId, name }: DispatchHead): Promise<number[]> {
		const listed = await listDispatches(this.context, { companyId, status: 'CREATED' });
		const wanted = comparableName(name);
		return listed.flatMap((one) => (comparableName(one.name) === wanted ? [one.id] : []));
	}

	/**
	 * Whether the list of dispatches shows one that was created no earlier before than ours was sent: only then the list
	 * would show ours by now.
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
