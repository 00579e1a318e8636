import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { z } from '../../vendor/zod';
import type { Dispatch, DispatchCreate, DispatchCreated } from '../contract/dispatch';
import { WrittenBody, type RequestOf } from '../contract/endpoint';
import { partner, type PartnerMessage } from '../contract/partner';
import { CancelledError, ServiceError } from '../transport/errors';
import { list } from '../transport/list';
import { send } from '../transport/send';
import { pause } from '../transport/retry';
import { lookFor, UnsettledError, untilSettled } from '../transport/untilSettled';
import { inBatches, type Accepted, type Recipients } from './hygiene';
import { Placements } from './placements';

type Created = z.output<typeof DispatchCreated>;
type DispatchState = z.output<typeof Dispatch>;
type Message = z.output<typeof PartnerMessage>;
type Head = Omit<z.input<typeof DispatchCreate>, 'messages'>;
type AppendBody = RequestOf<typeof partner.dispatchAppend>['body'];

/** What to do where a dispatch of the same name is there already. */
export type NameUsed = 'another' | 'goOn' | 'stop';

/** A creation of unknown outcome. */
interface Doubt {
	/** Dispatches of the same name that were there before it. */
	namesakes: ReadonlySet<number>;
	error: unknown;
}

/** How far a dispatch has come. */
export interface Progress {
	dispatchId?: number;
	/** In the order of the recipients; nothing for one the service did not take. */
	placed: Placements;
	currency?: string;
	/** It was started before this run: nobody could be added. */
	isClosed: boolean;
	/** How many messages it held before any of these recipients; nothing while none of them was tried. */
	heldBefore?: number;
	/** It may have been created. */
	doubt?: Doubt;
}

export interface DeliveryOptions {
	batchSize: number;
	/** What must appear in no message: the login in the callback address. */
	secrets?: readonly string[];
}

/** A dispatch that could not be finished: what is certain, so that it can be resumed. */
export class InterruptedError extends Error {
	constructor(
		readonly progress: Progress,
		/** The first recipient that is not certainly in the dispatch. */
		readonly next: number,
		readonly reason: unknown,
	) {
		super('The dispatch could not be finished');
		this.name = 'InterruptedError';
	}
}

/** As it nearly always is: each recipient has its message, in the same place. */
const isInOrder = (
	recipients: Recipients,
	messages: ReadonlyArray<{ destination: string }>,
): boolean => {
	if (messages.length !== recipients.length) return false;
	let index = 0;
	for (const { destination } of recipients) {
		if (destination !== messages[index++]?.destination) return false;
	}
	return true;
};

/**
 * Gives each recipient its message; the service may have left some out. Where a number has more messages than
 * recipients, the last ones are ours: the others were there before.
 */
export const matchInOrder = <T extends { destination: string }>(
	recipients: Recipients,
	messages: readonly T[],
): ReadonlyArray<T | undefined> => {
	if (isInOrder(recipients, messages)) return messages;
	const numbers = Array.from(recipients, ({ destination }) => destination);
	const byNumber = new Map<string, T[]>();
	for (const message of messages) {
		const same = byNumber.get(message.destination);
		if (same === undefined) byNumber.set(message.destination, [message]);
		else same.push(message);
	}
	const wanted = new Map<string, number>();
	for (const number of numbers) wanted.set(number, (wanted.get(number) ?? 0) + 1);
	return numbers.map((number) => {
		const same = byNumber.get(number) ?? [];
		const open = wanted.get(number) ?? 0;
		wanted.set(number, open - 1);
		return same.splice(Math.max(same.length - open, 0), 1)[0];
	});
};

/** One that failed before anything was sent is one the service refused. */
const isTaken = ({ status }: Message) => status !== 'FAILED';

/** Once messages are sent they also fail on their way: those have a sender. */
const wasTaken = (message: Message) => isTaken(message) || typeof message.senderId === 'number';

class Batch {
	private written: WrittenBody<AppendBody> | undefined;

	constructor(readonly recipients: readonly Accepted[]) {}

	get messages(): AppendBody['messages'] {
		return this.recipients.map(({ recipient }) => recipient);
	}

	/** What appends it. */
	write(): WrittenBody<AppendBody> {
		return (this.written ??= new WrittenBody({ messages: this.messages }));
	}
}

/** Puts recipients into a dispatch, batch by batch, each exactly once whatever the network does. */
export class Delivery {
	private placed = new Placements();

	private currency: string | undefined;

	private isClosed = false;

	private heldBefore: number | undefined;

	private doubt: Doubt | undefined;

	/** `messages.total` of the dispatch when it was last read, and what replies said was added since. */
	private total: number | undefined;

	private added = { submitted: 0, accepted: 0 };

	/** What the service counts as its total, once it is known: then it need not be asked before every batch. */
	private counts: keyof typeof this.added | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly options: DeliveryOptions,
		private dispatchId?: number,
	) {}

	get progress(): Progress {
		const { dispatchId, placed, currency, isClosed, heldBefore, doubt } = this;
		return { dispatchId, placed, currency, isClosed, heldBefore, doubt };
	}

	/** Creates the dispatch with the first batch and appends the others. An earlier try may have created it. */
	async create(
		head: Head,
		recipients: Recipients,
		nameUsed: NameUsed = 'another',
		doubt?: Doubt,
	): Promise<Progress> {
		// Nobody to send to: an empty dispatch would only be in the way.
		if (recipients.length === 0) return this.progress;
		this.doubt = doubt;
		if (nameUsed !== 'another' && doubt === undefined) {
			const [newest] = (await this.namesakes(head)).sort((a, b) => b.id - a.id);
			if (newest !== undefined && nameUsed === 'stop') throw new NameUsedError(newest);
			if (newest !== undefined) return await this.goOn(newest.id, recipients);
		}
		this.total = 0;
		await this.sendAll(recipients, async (batch, isFirst) =>
			isFirst ? await this.createWith(head, batch) : await this.appendOne(batch),
		);
		return this.progress;
	}

	/** What an earlier run has begun: completed while that is possible, otherwise taken as it is. */
	async goOn(dispatchId: number, recipients: Recipients): Promise<Progress> {
		this.dispatchId = dispatchId;
		const { status } = await this.state();
		if (status === 'CREATED') return await this.resume(recipients);
		this.isClosed = true;
		for (const message of matchInOrder(recipients, (await this.messages()).filter(wasTaken))) {
			this.placed.add(message);
		}
		return this.progress;
	}

	/** Appends to a dispatch that exists. */
	async append(recipients: Recipients): Promise<Progress> {
		await this.sendAll(recipients, async (batch) => await this.appendOne(batch));
		return this.progress;
	}

	/**
	 * Appends only who is not in the dispatch yet, by number; who is, counts as placed. Messages that it held before do
	 * not count, where that is known.
	 */
	async resume(recipients: Recipients, heldBefore = 0): Promise<Progress> {
		this.heldBefore = heldBefore;
		let present: ReadonlyArray<Message | undefined> = [];
		await this.step(async () => {
			present = matchInOrder(recipients, (await this.messages(heldBefore)).filter(isTaken));
		});
		const missing = present.flatMap((message, index) => (message === undefined ? [index] : []));
		const failure = await this.append(
			missing.map((index) => recipients.at(index) as Accepted),
		).then(
			() => undefined,
			(error: unknown) => error,
		);
		const appended = this.placed;
		this.placed = new Placements();
		let next = 0;
		for (const message of present) this.placed.add(message ?? appended.at(next++));
		if (failure instanceof InterruptedError) {
			throw new InterruptedError(
				this.progress,
				missing[failure.next] ?? recipients.length,
				failure.reason,
			);
		}
		return this.progress;
	}

	get acceptedCount(): number {
		return this.placed.taken;
	}

	/** What a summary says about the dispatch itself. */
	async summary(): Promise<IDataObject> {
		if (this.dispatchId === undefined) return {};
		const state = await this.state().catch(() => undefined);
		// Everything is in the dispatch: a look that fails must not make it appear as if nothing were.
		if (state === undefined) return { status: 'CREATED' };
		const { name, status, priceEstimate } = state;
		return { name, status, priceEstimate: { total: priceEstimate, currency: this.currency } };
	}

	async state(): Promise<DispatchState> {
		return await send(this.context, partner.dispatchGet, { path: { id: this.id } });
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
	private async step(work: () => Promise<void>): Promise<void> {
		const failure = await (this.cancelled?.aborted
			? Promise.resolve({ error: new CancelledError() as unknown })
			: work().then(
					() => undefined,
					(error: unknown) => ({ error }),
				));
		if (failure === undefined) return;
		throw new InterruptedError(this.progress, this.placed.length, failure.error);
	}

	private place(
		{ recipients }: Batch,
		messages: ReadonlyArray<Message | Created['messages'][number]>,
	): void {
		for (const message of matchInOrder(recipients, messages)) this.placed.add(message);
	}

	private accept(batch: Batch, reply: Created): void {
		this.dispatchId = reply.id;
		// Checked softly: a reply without a price must not hide that the dispatch is there.
		this.currency = (
			reply.priceEstimate as Partial<Created['priceEstimate']> | undefined
		)?.currency;
		this.added.submitted += reply.total;
		this.added.accepted += reply.success;
		this.place(batch, reply.messages);
	}

	/**
	 * How many messages there are before a batch. The service is asked only where its replies leave it open: whether it
	 * counts the refused ones is not known before there are some.
	 */
	private async totalBefore(): Promise<number> {
		const { submitted, accepted } = this.added;
		const counts = submitted === accepted ? 'accepted' : this.counts;
		if (this.total !== undefined && counts !== undefined) return this.total + this.added[counts];
		const { total } = (await this.state()).messages;
		if (total - submitted === this.total) this.counts = 'submitted';
		if (total - accepted === this.total) this.counts = 'accepted';
		this.total = total;
		this.added = { submitted: 0, accepted: 0 };
		return total;
	}

	private async createWith(head: Head, batch: Batch): Promise<void> {
		// Names are not unique. What is there before tells a dispatch of ours from an older one of the same name.
		const namesakes =
			this.doubt?.namesakes ?? new Set((await this.namesakes(head, 'CREATED')).map(({ id }) => id));
		const isThere = async () => {
			const added = (await this.namesakes(head, 'CREATED')).filter(({ id }) => !namesakes.has(id));
			if (added.length > 1) throw new AmbiguousError(added.map(({ id }) => id));
			const [ours] = added;
			if (ours === undefined) return false;
			this.dispatchId = ours.id;
			await this.adopt(batch, 0);
			return true;
		};
		if (await this.settleDoubt(isThere)) return;
		await untilSettled(
			async () =>
				this.accept(
					batch,
					await send(
						this.context,
						partner.dispatchCreate,
						{ body: new WrittenBody({ ...head, messages: batch.messages }) },
						{ secrets: this.options.secrets },
					),
				),
			isThere,
			this.cancelled,
		).catch((error: unknown) => {
			if (error instanceof ServiceError && error.isRisky) this.doubt = { namesakes, error };
			throw error;
		});
	}

	/** Whether what an earlier try may have created is there. Who cannot look does not know. */
	private async settleDoubt(isThere: () => Promise<boolean>): Promise<boolean> {
		const { doubt } = this;
		if (doubt === undefined) return false;
		const found = await lookFor(isThere, this.cancelled).catch((error: unknown) => {
			throw error instanceof UnsettledError ? error : doubt.error;
		});
		this.doubt = undefined;
		return found;
	}

	private async appendOne(batch: Batch): Promise<void> {
		const before = await this.totalBefore();
		this.heldBefore ??= before;
		await untilSettled(
			async () =>
				this.accept(
					batch,
					await send(
						this.context,
						partner.dispatchAppend,
						{ path: { id: this.id }, body: batch.write() },
						{ secrets: this.options.secrets },
					),
				),
			async () => {
				if ((await this.state()).messages.total === before) return false;
				await this.adopt(batch, before);
				return true;
			},
			this.cancelled,
		);
	}

	/** What the dispatch holds, without the first so many. */
	private async messages(heldBefore = 0): Promise<Message[]> {
		// Entries of the list, checked softly by the transport.
		const all = (await list(this.context, partner.messageList, {
			query: { dispatchId: this.id },
		})) as Message[];
		// Lists run from the oldest to the newest, or the other way round.
		const isAscending = (all[0]?.createdAt ?? '') <= (all.at(-1)?.createdAt ?? '');
		return isAscending ? all.slice(heldBefore) : all.slice(0, all.length - heldBefore);
	}

	private async namesakes(
		{ companyId, name }: Head,
		status?: DispatchState['status'],
	): Promise<DispatchState[]> {
		const dispatches = await list(this.context, partner.dispatchList, {
			query: { companyId, status },
		});
		// Entries of the list, checked softly by the transport.
		return (dispatches as DispatchState[]).filter((dispatch) => dispatch.name === name);
	}

	/** A batch that arrived although its answer did not: its messages are read back. */
	private async adopt(batch: Batch, before: number): Promise<void> {
		const added = await this.messages(before);
		const placed = this.placed.ids();
		const messages = added.filter((one) => isTaken(one) && !placed.has(one.messageUuid));
		this.total = undefined;
		this.added = { submitted: 0, accepted: 0 };
		this.place(batch, messages);
	}
}

/** The name was used before, and that is to stop it. */
export class NameUsedError extends Error {
	constructor(readonly dispatch: Pick<DispatchState, 'id' | 'status' | 'createdAt'>) {
		super(`Dispatch ${dispatch.id} has this name already`);
		this.name = 'NameUsedError';
	}
}

/** Two new dispatches of the same name: somebody else made one at the same moment. */
export class AmbiguousError extends UnsettledError {
	constructor(readonly dispatchIds: readonly number[]) {
		super(`More than one new dispatch has this name: ${dispatchIds.join(', ')}`);
		this.name = 'AmbiguousError';
	}
}
