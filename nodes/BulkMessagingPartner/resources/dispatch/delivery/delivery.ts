import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { inBatches } from '../../../../../core/transport/batches';
import { isCertain } from '../../../../../core/transport/errors';
import {
	lookUntilThere,
	lookThenSend,
	UnconfirmedError,
	UnsettledError,
	wasAnswered,
} from '../../../../../core/transport/lookThenSend';
import { WrittenBody } from '../../../../../core/contract/endpoint';
import { pause } from '../../../../../core/transport/retry';
import type { AcceptedRecipient, Recipients } from '../plan/recipient';
import { DispatchCalls, uncounted, unlisted, type AppendBody, type DispatchHead } from './calls';
import {
	AmbiguousError,
	InterruptedError,
	type DispatchProgress,
	type Doubt,
} from './interruption';
import { laterThan, matchAll, matchInOrder } from './matching';
import { Placements } from './placements';
import {
	isTaken,
	wasTaken,
	type CreatedReply,
	type DispatchMessage,
	type DispatchState,
} from './replies';

interface DispatchDeliveryOptions {
	batchSize: number;
	/** What must appear in no message: the login in the callback address. */
	secrets?: readonly string[];
	/** Whether the result shows the service's answers: there may be very many. */
	keepsReplies?: boolean;
}

const closedStatuses: ReadonlySet<string | undefined> = new Set([
	'STARTED',
	'STOPPED',
	'COMPLETED',
]);

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

	/** How many are in the dispatch that this run doesn't name. */
	private others = 0;

	private isTried = false;

	private doubt: Doubt | undefined;

	/** When the newest messages were sent that the service accepted, and how soon it counted such messages. */
	private acceptedAt: number | undefined;

	private countedWithinMs = Infinity;

	/** `messages.total` of the dispatch when it was last read, and what replies said was added since. */
	private total: number | undefined;

	private added = nothingAdded;

	/** What the service counts as its total, once it is known: then it need not be asked before every batch. */
	private counts: keyof typeof this.added | undefined;

	private readonly calls: DispatchCalls;

	constructor(
		context: IExecuteFunctions,
		private readonly options: DispatchDeliveryOptions,
		dispatchId?: number,
	) {
		this.calls = new DispatchCalls(context, options.secrets, dispatchId, options.keepsReplies);
	}

	/** The service's answers in the order they came, where they are kept. */
	get replies(): readonly unknown[] {
		return this.calls.replies ?? [];
	}

	keep(reply: unknown): void {
		this.calls.keep(reply);
	}

	get progress(): DispatchProgress {
		const { placed, currency, isClosed, heldBefore, isTried, doubt, others } = this;
		const { dispatchId } = this.calls;
		return { dispatchId, placed, currency, isClosed, heldBefore, isTried, doubt, others };
	}

	/** Creates the dispatch with the first batch and appends the others. An earlier try may have created it. */
	async create(
		head: DispatchHead,
		recipients: Recipients,
		doubt?: Doubt,
	): Promise<DispatchProgress> {
		// Nobody to send to: an empty dispatch would only be in the way.
		if (recipients.length === 0) return this.progress;
		this.doubt = doubt;
		await this.calls.remember(head.companyId);
		this.calls.name = head.name;
		this.heldBefore = 0;
		await this.sendAll(recipients, async (batch, isFirst) =>
			isFirst ? await this.createWith(head, batch) : await this.appendOne(batch),
		);
		return this.progress;
	}

	/** What an earlier run has begun: completed while that is possible, otherwise left as it is. */
	async continueWith(dispatchId: number, recipients: Recipients): Promise<DispatchProgress> {
		this.calls.dispatchId = dispatchId;
		const { status } = await this.calls.state();
		if (status === 'CREATED') return await this.resume(recipients);
		if (!closedStatuses.has(status)) {
			throw new UnsettledError(
				`The service doesn't report a known status for dispatch ${dispatchId}`,
			);
		}
		this.isClosed = true;
		const messages = (await this.calls.wholeList()).filter(wasTaken);
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
			const listed = await this.calls.wholeList();
			const [first, ...others] = laterThan(listed, heldBefore, this.calls.order).map((later) =>
				matchInOrder(recipients, later.filter(isTaken)),
			);
			// Which end of the list is the newest is not known, and here it decides who gets a message.
			const isOpen = (index: number) => others.some((other) => !other[index] !== !first[index]);
			if (first.some((_, index) => isOpen(index))) throw unlisted();
			const own = first.filter((message) => message !== undefined);
			this.others = listed.filter(isTaken).length - own.length;
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
		if (this.calls.dispatchId === undefined) return {};
		const state = await this.calls.current().catch(() => undefined);
		// Everything is in the dispatch: a look that fails must not make it appear as if nothing were.
		if (state === undefined) return this.isClosed ? {} : { status: 'CREATED' };
		const { name, status, priceEstimate: total, parts } = state;
		return { name, status, priceEstimate: { total, currency: this.currency, parts } };
	}

	/** The dispatch as it was read last, where nothing has been sent to the service since. */
	async current(): Promise<DispatchState> {
		return await this.calls.current();
	}

	/** Something was sent to the service that may have changed the dispatch. */
	changed(): void {
		this.calls.changed();
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
			await pause(1, this.calls.cancelled);
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

	/** Whether a total can include everybody the service has accepted: otherwise it is out of date and proves nothing. */
	private holdsPlaced(total: number): boolean {
		return total - (this.heldBefore ?? 0) >= this.placed.taken;
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
		const { total } = await this.calls.state();
		if (total === undefined) return undefined;
		if (total - submitted === this.total) this.counts = 'submitted';
		if (total - accepted === this.total) this.counts = 'accepted';
		this.total = total;
		this.added = nothingAdded;
		return total;
	}

	private async createWith(head: DispatchHead, batch: Batch): Promise<void> {
		// Names are not unique. What is there before tells a dispatch of ours from an older one of the same name.
		const namesakes = this.doubt?.namesakes ?? new Set(await this.calls.namesakes(head));
		const isThere = async () => {
			this.calls.dispatchId ??= await this.findNew(head, namesakes);
			return this.calls.dispatchId !== undefined && (await this.adopt(batch));
		};
		if (await this.settleDoubt(isThere, head)) return;
		let sentAt = 0;
		await lookThenSend({
			attempt: async () => {
				sentAt = Date.now();
				const created = await this.calls.create(head, batch.messages);
				const total = await this.identify(created.id, namesakes);
				this.calls.accepted(created.id);
				if (!this.accept(batch, created, sentAt)) throw new UnconfirmedError();
				if (total && this.holdsPlaced(total)) this.count(sentAt);
				this.total = total;
				this.added = nothingAdded;
			},
			isThere,
			// One that was found is not created again, even if its messages can't be read.
			isProven: async () =>
				this.calls.dispatchId === undefined && (await this.calls.isListed(head, sentAt)),
			cancelled: this.calls.cancelled,
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
		this.calls.dispatchId = id;
		const state = await this.calls.state().catch(() => undefined);
		// A new one is in CREATED. Any other is an older one of the same name.
		if (state?.status === 'CREATED') return state.total;
		// It is looked for by its name instead.
		this.calls.dispatchId = undefined;
		this.changed();
		throw new UnconfirmedError();
	}

	/** The dispatch of this name that was not there before. */
	private async findNew(
		head: DispatchHead,
		before: ReadonlySet<number>,
	): Promise<number | undefined> {
		const added = (await this.calls.namesakes(head)).filter((id) => !before.has(id));
		if (added.length > 1) throw new AmbiguousError(added);
		return added[0];
	}

	/**
	 * What an earlier try of the same run may have created: whether it is there. It is created again only if looking is
	 * proven to work and the service never answered.
	 */
	private async settleDoubt(isThere: () => Promise<boolean>, head: DispatchHead): Promise<boolean> {
		const { doubt } = this;
		if (doubt === undefined) return false;
		const found = await lookUntilThere(isThere, this.calls.cancelled).catch((error: unknown) => {
			throw error instanceof UnsettledError ? error : doubt.error;
		});
		const mayCreate = !wasAnswered(doubt.error) && this.calls.dispatchId === undefined;
		if (!found && !(mayCreate && (await this.calls.isListed(head, doubt.sentAt))))
			throw doubt.error;
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
				sentAt = Date.now();
				const created = await this.calls.append(batch.write());
				const isOther = created.id !== undefined && created.id !== this.calls.dispatchId;
				if (isOther || !this.accept(batch, created, sentAt)) throw new UnconfirmedError();
			},
			isThere: async () => {
				if (before === undefined) throw uncounted();
				const { total } = await this.calls.state();
				if (total === undefined || total < before) throw uncounted();
				if (total === before && this.holdsPlaced(before)) this.count(this.acceptedAt);
				return total > before && (await this.adopt(batch, before));
			},
			// The service counted messages that are as young and certainly are there, and none has been added to them.
			isProven: async () =>
				before !== undefined &&
				this.holdsPlaced(before) &&
				this.calls.seenTotal === before &&
				this.countedWithinMs <= Date.now() - sentAt &&
				// The list must agree: a count may be out of date.
				(await this.calls.completeList().catch(() => undefined))?.length === before,
			cancelled: this.calls.cancelled,
		});
	}

	/**
	 * Reads back the messages of a batch that arrived although its answer did not. Whether they can be told from the others:
	 * each of them must belong to one of the batch's recipients.
	 */
	private async adopt({ recipients }: Batch, before = 0): Promise<boolean> {
		const all = await this.calls.completeList();
		if (all === undefined) return false;
		const placed = this.placed.ids();
		for (const added of laterThan(all, before, this.calls.order)) {
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
