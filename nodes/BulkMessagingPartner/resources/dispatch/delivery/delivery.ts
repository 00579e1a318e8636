import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { z } from '../../../../../vendor/zod';
import type { DispatchCreate } from '../../../../../core/contract/dispatch';
import { WrittenBody, type RequestOf } from '../../../../../core/contract/endpoint';
import { partner } from '../../../../../core/contract/partner';
import { connect } from '../../../../../core/transport/connection';
import { isCertain } from '../../../../../core/transport/errors';
import { find, list } from '../../../../../core/transport/list';
import {
	lookUntilThere,
	lookThenSend,
	UnconfirmedError,
	UnsettledError,
	wasAnswered,
} from '../../../../../core/transport/lookThenSend';
import { pause } from '../../../../../core/transport/retry';
import { fieldOf } from '../../../../../core/transport/replyShape';
import { send } from '../../../../../core/transport/send';
import { Witness, witnessOf } from '../../../../../core/transport/witness';
import { inBatches } from '../../../../../core/transport/batches';
import type { AcceptedRecipient, Recipients } from '../plan/recipient';
import { matchAll, matchInOrder } from './matching';
import { Placements } from './placements';
import {
	readCreated,
	readMessages,
	readState,
	type CreatedReply,
	type DispatchMessage,
	type DispatchState,
} from './replies';

type Head = Omit<z.input<typeof DispatchCreate>, 'messages'>;
type AppendBody = RequestOf<typeof partner.dispatchAppend>['body'];

/** What to do where a dispatch of the same name is there already. */
type NameUsed = 'another' | 'goOn' | 'stop';

/** A creation of unknown outcome. */
interface Doubt {
	/** Dispatches of the same name that were there before it. */
	namesakes: ReadonlySet<number>;
	error: unknown;
	sentAt: number;
}

/** How far a dispatch has come. */
export interface DispatchProgress {
	dispatchId?: number;
	/** In the order of the recipients; nothing for one the service did not take. */
	placed: Placements;
	currency?: string;
	/** It was started before this run: nobody could be added. */
	isClosed: boolean;
	/** How many messages it held before any of these recipients; `undefined` when that isn't known. */
	heldBefore?: number;
	/** Some of the recipients were sent to the service. */
	isTried: boolean;
	/** It may have been created. */
	doubt?: Doubt;
}

interface DispatchDeliveryOptions {
	batchSize: number;
	/** What must appear in no message: the login in the callback address. */
	secrets?: readonly string[];
}

/** A dispatch that could not be finished: what is certain, so that it can be resumed. */
export class InterruptedError extends Error {
	constructor(
		readonly progress: DispatchProgress,
		/** The first recipient that is not certainly in the dispatch. */
		readonly next: number,
		readonly reason: unknown,
	) {
		super('The dispatch could not be finished');
	}
}

/** One that failed before anything was sent is one the service rejected. */
const isTaken = ({ status }: DispatchMessage) => status !== 'FAILED';

/** Once messages are sent they also fail on their way: those have a sender. */
const wasTaken = (message: DispatchMessage) => isTaken(message) || message.senderId !== undefined;

/** Names as a service may store them: without blanks around them, in one of Unicode's two spellings. */
const comparableName = (name: string) => name.normalize('NFC').trim().replace(/\s+/g, ' ');

const uncounted = () =>
	new UnsettledError("The service doesn't say how many messages the dispatch holds");
const unlisted = () =>
	new UnsettledError("The service doesn't list as many messages as it says the dispatch holds");
const mistaken = () =>
	new UnsettledError('The service shows another dispatch than the one it was asked for');

const nothingAdded = { submitted: 0, accepted: 0 };

class Batch {
	private written: WrittenBody<AppendBody> | undefined;

	constructor(readonly recipients: readonly AcceptedRecipient[]) {}

	get messages(): AppendBody['messages'] {
		return this.recipients.map(({ recipient }) => recipient);
	}

	/** What appends it. */
	write(): WrittenBody<AppendBody> {
		return (this.written ??= new WrittenBody({ messages: this.messages }));
	}
}

/** Puts recipients into a dispatch, batch by batch, each exactly once whatever the network does. */
export class DispatchDelivery {
	private placed = new Placements();

	private currency: string | undefined;

	private isClosed = false;

	private heldBefore: number | undefined;

	private isTried = false;

	private doubt: Doubt | undefined;

	/** What the dispatch is called, where this created it. */
	private name: string | undefined;

	/** What is known about the account's list of dispatches. */
	private witness = new Witness();

	/** `messages.total` at the last look. */
	private seenTotal: number | undefined;

	/** When the newest messages were sent that the service accepted, and how soon it counted such messages. */
	private acceptedAt: number | undefined;

	private countedWithinMs = Infinity;

	/** The dispatch as it was read last. */
	private known: DispatchState | undefined;

	/** `messages.total` of the dispatch when it was last read, and what replies said was added since. */
	private total: number | undefined;

	private added = nothingAdded;

	/** What the service counts as its total, once it is known: then it need not be asked before every batch. */
	private counts: keyof typeof this.added | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly options: DispatchDeliveryOptions,
		private dispatchId?: number,
	) {}

	get progress(): DispatchProgress {
		const { dispatchId, placed, currency, isClosed, heldBefore, isTried, doubt } = this;
		return { dispatchId, placed, currency, isClosed, heldBefore, isTried, doubt };
	}

	/** Creates the dispatch with the first batch and appends the others. An earlier try may have created it. */
	async create(
		head: Head,
		recipients: Recipients,
		nameUsed: NameUsed = 'another',
		doubt?: Doubt,
	): Promise<DispatchProgress> {
		// Nobody to send to: an empty dispatch would only be in the way.
		if (recipients.length === 0) return this.progress;
		this.doubt = doubt;
		const { identity } = await connect(this.context, 'partner');
		this.witness = witnessOf(`${identity} ${head.companyId}`);
		if (nameUsed !== 'another' && doubt === undefined) {
			const [newest] = (await this.namesakes(head)).sort((a, b) => b.id - a.id);
			if (newest !== undefined && nameUsed === 'stop') throw new NameUsedError(newest);
			if (newest !== undefined) return await this.goOn(newest.id, recipients);
		}
		this.name = head.name;
		await this.sendAll(recipients, async (batch, isFirst) =>
			isFirst ? await this.createWith(head, batch) : await this.appendOne(batch),
		);
		return this.progress;
	}

	/** What an earlier run has begun: completed while that is possible, otherwise taken as it is. */
	async goOn(dispatchId: number, recipients: Recipients): Promise<DispatchProgress> {
		this.dispatchId = dispatchId;
		const { status } = await this.state();
		if (status === 'CREATED') return await this.resume(recipients);
		if (!closedStatuses.has(status)) {
			throw new UnsettledError(`The service doesn't say in which state dispatch ${dispatchId} is`);
		}
		this.isClosed = true;
		const messages = (await this.wholeList()).filter(wasTaken);
		for (const message of matchInOrder(recipients, messages)) this.placed.add(message);
		return this.progress;
	}

	/** Appends to a dispatch that exists. */
	async append(recipients: Recipients): Promise<DispatchProgress> {
		await this.sendAll(recipients, async (batch) => await this.appendOne(batch));
		return this.progress;
	}

	/**
	 * Appends only who is not in the dispatch yet, by number; who is, counts as placed. Messages that it held before do
	 * not count, where that is known.
	 */
	async resume(recipients: Recipients, heldBefore = 0): Promise<DispatchProgress> {
		this.heldBefore = heldBefore;
		this.isTried = true;
		const present = await this.step(async () => {
			const [first, ...others] = laterThan(await this.wholeList(), heldBefore, this.order).map(
				(later) => matchInOrder(recipients, later.filter(isTaken)),
			);
			// Which end of the list is the newest is not known, and here it decides who gets a message.
			const isOpen = (index: number) => others.some((other) => !other[index] !== !first[index]);
			if (first.some((_, index) => isOpen(index))) throw unlisted();
			return first;
		});
		const missing = present.flatMap((message, index) => (message === undefined ? [index] : []));
		const failure = await this.append(
			missing.map((index) => recipients.at(index) as AcceptedRecipient),
		).then(
			() => undefined,
			(error: unknown) => error,
		);
		const appended = this.placed;
		this.placed = new Placements();
		let next = 0;
		for (const message of present) this.placed.add(message ?? appended.at(next++));
		if (failure === undefined) return this.progress;
		throw failure instanceof InterruptedError
			? new InterruptedError(this.progress, missing[failure.next], failure.reason)
			: failure;
	}

	get acceptedCount(): number {
		return this.placed.taken;
	}

	/** What a summary says about the dispatch itself. */
	async summary(): Promise<IDataObject> {
		if (this.dispatchId === undefined) return {};
		const state = await this.current().catch(() => undefined);
		// Everything is in the dispatch: a look that fails must not make it appear as if nothing were.
		if (state === undefined) return this.isClosed ? {} : { status: 'CREATED' };
		const { name, status, priceEstimate } = state;
		return { name, status, priceEstimate: { total: priceEstimate, currency: this.currency } };
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

	private get id(): number {
		return this.dispatchId ?? 0;
	}

	private get cancelled() {
		return this.context.getExecutionCancelSignal();
	}

	/** One batch after another; while one travels, the next is written. */
	private async sendAll(
		recipients: Recipients,
		sendOne: (batch: Batch, isFirst: boolean) => Promise<void>,
	): Promise<void> {
		const batches = inBatches(recipients, this.options.batchSize);
		const next = (): Batch | undefined => {
			const { done, value } = batches.next();
			return done ? undefined : new Batch(value);
		};
		const writeNext = async () => {
			// Not before the one at hand is on its way.
			await pause(1, this.cancelled);
			const batch = next();
			batch?.write();
			return batch;
		};
		let isFirst = true;
		for (let batch = next(); batch !== undefined; isFirst = false) {
			const current = batch;
			[batch] = await Promise.all([
				writeNext(),
				this.step(async () => await sendOne(current, isFirst)),
			]);
		}
	}

	/** One step that counts as a whole: whatever ends it, the error says how far everything has come. */
	private async step<T>(work: () => Promise<T>): Promise<T> {
		return await work().catch((error: unknown) => {
			throw new InterruptedError(this.progress, this.placed.length, error);
		});
	}

	/** The total includes messages that were sent at this time. */
	private count(sentAt: number | undefined): void {
		if (sentAt === undefined) return;
		this.countedWithinMs = Math.min(this.countedWithinMs, Date.now() - sentAt);
	}

	private place(messages: ReadonlyArray<DispatchMessage | undefined>): void {
		for (const message of messages) this.placed.add(message);
	}

	/**
	 * Takes what a reply tells about a batch. Whether it does: a reply that leaves some of the recipients open, or speaks of
	 * others, is not believed, and the messages are read back instead.
	 */
	private accept({ recipients }: Batch, reply: CreatedReply, sentAt: number): boolean {
		const { total, success, failed = 0, currency } = reply;
		this.currency ??= currency;
		const { length } = recipients;
		const messages = reply.messages?.filter(isTaken);
		const expected = success ?? length - failed;
		if (messages === undefined || messages.length !== expected || expected > length) return false;
		const matched = matchAll(recipients, messages);
		if (matched === undefined) return false;
		this.place(matched);
		if (expected > 0) this.acceptedAt = sentAt;
		if (total === length && success !== undefined) {
			const { submitted, accepted } = this.added;
			this.added = { submitted: submitted + total, accepted: accepted + success };
		} else {
			this.total = undefined;
		}
		return true;
	}

	/**
	 * How many messages there are before a batch; `undefined` when the service doesn't tell. It is asked only where its
	 * replies leave it open: whether it counts the rejected ones is not known before there are some.
	 */
	private async totalBefore(): Promise<number | undefined> {
		const { submitted, accepted } = this.added;
		const counts = submitted === accepted ? 'accepted' : this.counts;
		if (this.total !== undefined && counts !== undefined) return this.total + this.added[counts];
		const { total } = await this.state();
		if (total === undefined) return undefined;
		if (total - submitted === this.total) this.counts = 'submitted';
		if (total - accepted === this.total) this.counts = 'accepted';
		this.total = total;
		this.added = nothingAdded;
		return total;
	}

	private async createWith(head: Head, batch: Batch): Promise<void> {
		// Names are not unique. What is there before tells a dispatch of ours from an older one of the same name.
		const namesakes =
			this.doubt?.namesakes ?? new Set((await this.namesakes(head, 'CREATED')).map(({ id }) => id));
		const isThere = async () => {
			this.dispatchId ??= await this.findNew(head, namesakes);
			return this.dispatchId !== undefined && (await this.adopt(batch));
		};
		if (await this.settleDoubt(isThere, head)) return;
		let sentAt = 0;
		await lookThenSend({
			attempt: async () => {
				sentAt = Date.now();
				const reply: unknown = await send(
					this.context,
					partner.dispatchCreate,
					{ body: new WrittenBody({ ...head, messages: batch.messages }) },
					{ secrets: this.options.secrets },
				);
				const created = readCreated(reply);
				const total = await this.identify(created.id, namesakes);
				this.witness.accept(String(created.id));
				if (!this.accept(batch, created, sentAt)) throw new UnconfirmedError();
				if (total) this.count(sentAt);
				this.total = total;
				this.added = nothingAdded;
			},
			isThere,
			// One that was found is not created again, even if its messages can't be read.
			isProven: async () => this.dispatchId === undefined && (await this.isListed(head, sentAt)),
			cancelled: this.cancelled,
		}).catch((error: unknown) => {
			if (!isCertain(error)) this.doubt = { namesakes, error, sentAt };
			throw error;
		});
	}

	/**
	 * Makes sure that the ID in a reply leads to the dispatch that was created: nothing may be added to another one, or start it.
	 * How many messages it holds.
	 */
	private async identify(
		id: number | undefined,
		before: ReadonlySet<number>,
	): Promise<number | undefined> {
		if (id === undefined || before.has(id)) throw new UnconfirmedError();
		this.dispatchId = id;
		const state = await this.state().catch(() => undefined);
		// A new one is in CREATED. Any other is an older one of the same name.
		if (state?.status === 'CREATED') return state.total;
		// It is looked for by its name instead.
		this.dispatchId = undefined;
		this.changed();
		throw new UnconfirmedError();
	}

	/** The dispatch of this name that was not there before. */
	private async findNew(head: Head, before: ReadonlySet<number>): Promise<number | undefined> {
		const added = (await this.namesakes(head, 'CREATED')).filter(({ id }) => !before.has(id));
		if (added.length > 1) throw new AmbiguousError(added.map(({ id }) => id));
		return added[0]?.id;
	}

	/**
	 * What an earlier try of the same run may have created: whether it is there. It is created again only if looking is
	 * proven to work and the service never answered.
	 */
	private async settleDoubt(isThere: () => Promise<boolean>, head: Head): Promise<boolean> {
		const { doubt } = this;
		if (doubt === undefined) return false;
		const found = await lookUntilThere(isThere, this.cancelled).catch((error: unknown) => {
			throw error instanceof UnsettledError ? error : doubt.error;
		});
		const mayCreate = !wasAnswered(doubt.error) && this.dispatchId === undefined;
		if (!found && !(mayCreate && (await this.isListed(head, doubt.sentAt)))) throw doubt.error;
		this.doubt = undefined;
		return found;
	}

	private async appendOne(batch: Batch): Promise<void> {
		const before = await this.totalBefore();
		this.heldBefore ??= before;
		this.isTried = true;
		let sentAt = 0;
		await lookThenSend({
			attempt: async () => {
				this.changed();
				sentAt = Date.now();
				const reply: unknown = await send(
					this.context,
					partner.dispatchAppend,
					{ path: { id: this.id }, body: batch.write() },
					{ secrets: this.options.secrets },
				);
				const created = readCreated(reply);
				const isOther = created.id !== undefined && created.id !== this.id;
				if (isOther || !this.accept(batch, created, sentAt)) throw new UnconfirmedError();
			},
			isThere: async () => {
				if (before === undefined) throw uncounted();
				const { total } = await this.state();
				if (total === undefined || total < before) throw uncounted();
				if (total === before) this.count(this.acceptedAt);
				return total > before && (await this.adopt(batch, before));
			},
			// The service counted messages that are as young and certainly are there, and none has been added to them.
			isProven: async () =>
				before !== undefined &&
				this.seenTotal === before &&
				this.countedWithinMs <= Date.now() - sentAt &&
				// The list must agree: a count may be out of date.
				(await this.completeList().catch(() => undefined))?.length === before,
			cancelled: this.cancelled,
		});
	}

	/** Which end of the message list is the newest, once it has shown two different times. */
	private order: Order;

	/** Everything the dispatch holds; `undefined` as long as the list shows fewer messages than the dispatch counts. */
	private async completeList(): Promise<DispatchMessage[] | undefined> {
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

	private async wholeList(): Promise<DispatchMessage[]> {
		let all: DispatchMessage[] | undefined;
		await lookUntilThere(async () => {
			all = await this.completeList();
			return all !== undefined;
		}, this.cancelled);
		if (all === undefined) throw unlisted();
		return all;
	}

	private async namesakes(
		{ companyId, name }: Head,
		status?: 'CREATED',
	): Promise<Array<DispatchState & { id: number }>> {
		const entries = await list(this.context, partner.dispatchList, {
			query: { companyId, status },
		});
		return entries.map(readState).flatMap((dispatch) => {
			// One without a name may be the one that is looked for.
			if (dispatch.name === undefined || dispatch.id === undefined) throw unnamed();
			this.witness.see(String(dispatch.id));
			const isNamesake = comparableName(dispatch.name) === comparableName(name);
			return isNamesake ? [{ ...dispatch, id: dispatch.id }] : [];
		});
	}

	/**
	 * Whether the list of dispatches shows one that was created no earlier before than ours was sent: only then the list
	 * would show ours by now.
	 */
	private async isListed({ companyId }: Head, sentAt: number): Promise<boolean> {
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

	/**
	 * Reads back the messages of a batch that arrived although its answer did not. Whether they can be told from the others:
	 * each of them must belong to one of the batch's recipients.
	 */
	private async adopt({ recipients }: Batch, before = 0): Promise<boolean> {
		const all = await this.completeList();
		if (all === undefined) return false;
		const placed = this.placed.ids();
		for (const added of laterThan(all, before, this.order)) {
			const fresh = added.filter((one) => isTaken(one) && !placed.has(one.messageUuid));
			const matched = matchAll(recipients, fresh);
			if (matched === undefined) continue;
			this.total = undefined;
			this.added = nothingAdded;
			this.place(matched);
			return true;
		}
		return false;
	}
}

const closedStatuses: ReadonlySet<string | undefined> = new Set([
	'STARTED',
	'STOPPED',
	'COMPLETED',
]);

type Order = 'oldestFirst' | 'newestFirst' | undefined;

const timeIn = (entry: Record<string, unknown> | undefined) => {
	const time = Date.parse(String(entry && fieldOf(entry, 'createdAt')));
	return Number.isNaN(time) ? undefined : time;
};

const orderOf = (entries: ReadonlyArray<Record<string, unknown>>): Order => {
	const [first, last] = [timeIn(entries[0]), timeIn(entries.at(-1))];
	if (first === undefined || last === undefined || first === last) return undefined;
	return first < last ? 'oldestFirst' : 'newestFirst';
};

/** A list without its first messages in time; both ways of reading it where its order isn't known. */
const laterThan = (
	all: readonly DispatchMessage[],
	before: number,
	order: Order,
): DispatchMessage[][] => {
	const oldestFirst = all.slice(before);
	const newestFirst = all.slice(0, all.length - before);
	if (order !== undefined) return [order === 'oldestFirst' ? oldestFirst : newestFirst];
	return before === 0 ? [oldestFirst] : [oldestFirst, newestFirst];
};

const unnamed = () =>
	new UnsettledError(
		"The service lists a dispatch without a name or an ID, so it can't be told apart",
	);

/** The name was used before, and that is to stop it. */
export class NameUsedError extends Error {
	constructor(readonly dispatch: DispatchState) {
		super();
	}
}

/** Two new dispatches of the same name: somebody else made one at the same moment. */
export class AmbiguousError extends UnsettledError {
	constructor(readonly dispatchIds: readonly number[]) {
		super(`More than one new dispatch has this name: ${dispatchIds.join(', ')}`);
	}
}
