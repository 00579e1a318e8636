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
	isAccepted,
	wasAccepted,
	type CreatedReply,
	type DispatchMessage,
	type DispatchState,
} from './replies';

interface DispatchDeliveryOptions {
	batchSize: number;
	/** Texts that no error may show: the login in the callback URL. */
	secrets?: readonly string[];
	/** Whether to keep the service's responses for the result: there may be very many. */
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

	/** The body that appends this batch. Written once, because it can be large. */
	write(): WrittenBody<AppendBody> {
		return (this.written ??= new WrittenBody({ messages: this.messages }));
	}
}

/** Adds recipients to a dispatch, batch by batch, each exactly once even if requests or responses are lost. */
export class DispatchDelivery {
	private placed = new Placements();

	private currency: string | undefined;

	private isClosed = false;

	private heldBefore: number | undefined;

	/** How many messages in the dispatch belong to recipients who aren't in this run. */
	private others = 0;

	private isTried = false;

	private doubt: Doubt | undefined;

	/** When the last accepted messages were sent, and the shortest time after which the service's total included such messages. */
	private acceptedAt: number | undefined;

	private countedWithinMs = Infinity;

	/** `messages.total` when the dispatch was last read, and what was added since according to the responses. */
	private total: number | undefined;

	private added = nothingAdded;

	/** Which messages the service includes in its total. Once known, the total needn't be read before every batch. */
	private counts: keyof typeof this.added | undefined;

	private readonly calls: DispatchCalls;

	constructor(
		context: IExecuteFunctions,
		private readonly options: DispatchDeliveryOptions,
		dispatchId?: number,
	) {
		this.calls = new DispatchCalls(context, options.secrets, dispatchId, options.keepsReplies);
	}

	/** The service's responses in the order they arrived, if they are kept. */
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

	/** Creates the dispatch with the first batch and appends the others. An earlier attempt may have created it already (`doubt`). */
	async create(
		head: DispatchHead,
		recipients: Recipients,
		doubt?: Doubt,
	): Promise<DispatchProgress> {
		// Without recipients, no dispatch is created.
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

	/** Continues a dispatch: adds missing recipients if it isn't started yet, otherwise only reads who is in it. */
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
		const messages = (await this.calls.wholeList()).filter(wasAccepted);
		for (const message of matchInOrder(recipients, messages)) this.placed.add(message);
		return this.progress;
	}

	/** Appends to an existing dispatch. */
	async append(recipients: Recipients): Promise<DispatchProgress> {
		await this.sendAll(recipients, async (batch) => await this.appendOne(batch));
		return this.progress;
	}

	/**
	 * Appends only recipients whose number isn't in the dispatch yet; the others are recorded as placed. The first `heldBefore`
	 * messages are ignored, because they were there before this run.
	 */
	async resume(recipients: Recipients, heldBefore = 0): Promise<DispatchProgress> {
		this.heldBefore = heldBefore;
		this.isTried = true;
		const present = await this.step(async () => {
			const listed = await this.calls.wholeList();
			const [first, ...others] = laterThan(listed, heldBefore, this.calls.order).map((later) =>
				matchInOrder(recipients, later.filter(isAccepted)),
			);
			// If the order of the list isn't known, stop when the two possible orders disagree about who is missing.
			const isOpen = (index: number) => others.some((other) => !other[index] !== !first[index]);
			if (first.some((_, index) => isOpen(index))) throw unlisted();
			const own = first.filter((message) => message !== undefined);
			this.others = listed.filter(isAccepted).length - own.length;
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
		return this.placed.accepted;
	}

	/** The dispatch's own fields in the summary. */
	async summary(): Promise<IDataObject> {
		if (this.calls.dispatchId === undefined) return {};
		const state = await this.calls.current().catch(() => undefined);
		// All recipients are in the dispatch, so a failed read must not make the whole run fail.
		if (state === undefined) return this.isClosed ? {} : { status: 'CREATED' };
		const { name, status, priceEstimate: total, parts } = state;
		return { name, status, priceEstimate: { total, currency: this.currency, parts } };
	}

	/** The last state that was read, unless something was sent to the service since. */
	async current(): Promise<DispatchState> {
		return await this.calls.current();
	}

	/** Call this after sending anything that may have changed the dispatch. */
	changed(): void {
		this.calls.changed();
	}

	/** Sends one batch after another. While a request is on its way, the next batch is written. */
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
			// Let the current request start first.
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

	/** Runs one step. Any error in it becomes an `InterruptedError` with the progress so far. */
	private async step<T>(work: () => Promise<T>): Promise<T> {
		return await work().catch((error: unknown) => {
			throw new InterruptedError(this.progress, this.placed.length, error);
		});
	}

	/** Call this when the total includes messages that were sent at `sentAt`. */
	private count(sentAt: number | undefined): void {
		if (sentAt === undefined) return;
		this.countedWithinMs = Math.min(this.countedWithinMs, Date.now() - sentAt);
	}

	/** Whether a total can include everyone the service has accepted. If not, it is out of date and proves nothing. */
	private holdsPlaced(total: number): boolean {
		return total - (this.heldBefore ?? 0) >= this.placed.accepted;
	}

	private place(messages: ReadonlyArray<DispatchMessage | undefined>): void {
		for (const message of messages) this.placed.add(message);
	}

	/**
	 * Records what a response says about a batch. Returns `false` if the response doesn't cover exactly these recipients: then the
	 * caller reads the messages back instead.
	 */
	private accept({ recipients }: Batch, reply: CreatedReply, sentAt: number): boolean {
		const { total, success, failed = 0, currency } = reply;
		this.currency ??= currency;
		const { length } = recipients;
		const messages = reply.messages?.filter(isAccepted);
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
	 * How many messages the dispatch has before a batch; `undefined` if the service doesn't report it. The dispatch is read only if
	 * earlier responses don't tell: whether the total includes rejected messages isn't known until there are some.
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
		// Names aren't unique. Listing the existing ones first lets us tell our dispatch from older ones with the same name.
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
			// A dispatch that was found is never created again, even if its messages can't be read.
			isProven: async () =>
				this.calls.dispatchId === undefined && (await this.calls.isListed(head, sentAt)),
			cancelled: this.calls.cancelled,
		}).catch((error: unknown) => {
			if (!isCertain(error)) this.doubt = { namesakes, error, sentAt };
			throw error;
		});
	}

	/**
	 * Makes sure that the ID in a response belongs to the new dispatch, so that no other one is changed or started. Returns how many
	 * messages it contains.
	 */
	private async identify(
		id: number | undefined,
		before: ReadonlySet<number>,
	): Promise<number | undefined> {
		if (id === undefined || before.has(id)) throw new UnconfirmedError();
		this.calls.dispatchId = id;
		const state = await this.calls.state().catch(() => undefined);
		// A new dispatch has the status CREATED. Any other status means an older dispatch.
		if (state?.status === 'CREATED') return state.total;
		// The caller looks for it by its name instead.
		this.calls.dispatchId = undefined;
		this.changed();
		throw new UnconfirmedError();
	}

	/** The dispatch with this name that wasn't in the list before. */
	private async findNew(
		head: DispatchHead,
		before: ReadonlySet<number>,
	): Promise<number | undefined> {
		const added = (await this.calls.namesakes(head)).filter((id) => !before.has(id));
		if (added.length > 1) throw new AmbiguousError(added);
		return added[0];
	}

	/**
	 * Checks whether an earlier attempt of the same run created the dispatch. If it isn't found, it may only be created again if the
	 * list is proven to be up to date and the service never responded to that attempt.
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
			// The total already included messages that were sent as recently as these, but it doesn't include these.
			isProven: async () =>
				before !== undefined &&
				this.holdsPlaced(before) &&
				this.calls.seenTotal === before &&
				this.countedWithinMs <= Date.now() - sentAt &&
				// The list must agree, because the total may be out of date.
				(await this.calls.completeList().catch(() => undefined))?.length === before,
			cancelled: this.calls.cancelled,
		});
	}

	/**
	 * Reads back the messages of a batch whose response was lost. Returns `false` if they can't be told from other messages: each
	 * new message must belong to one of the batch's recipients.
	 */
	private async adopt({ recipients }: Batch, before = 0): Promise<boolean> {
		const all = await this.calls.completeList();
		if (all === undefined) return false;
		const placed = this.placed.ids();
		for (const added of laterThan(all, before, this.calls.order)) {
			const fresh = added.filter((one) => isAccepted(one) && !placed.has(one.messageUuid));
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
