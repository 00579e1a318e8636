import type { IExecuteFunctions } from 'n8n-workflow';
import { WrittenBody, type RequestOf, type WrittenRequestOf } from '../contract/endpoint';
import { messageLimits, type messaging } from '../contract/messaging';
import { inBatches } from '../dispatch/hygiene';
import { CancelledError, ServiceError } from '../transport/errors';
import { send } from '../transport/send';
import { IncompleteReplyError, lookFor, untilSettled } from '../transport/untilSettled';
import { findByOwnIds, type FoundMessage } from './lookUp';
import { memoryOf, type Memory } from './memory';
import { isTaken, matchReply, wordsOf, type ReplyItem } from './reply';

type SendEndpoint = typeof messaging.messageSend | typeof messaging.cascadeSend;

/** One entry of a request, and where it comes from. */
export interface Outgoing {
	itemIndex: number;
	/** Held against the contract already. */
	body: RequestOf<SendEndpoint>['body'][number];
	/** Under which it can be found again. */
	ownId?: string;
	/** The user chose the id, so that an older message may have it too. */
	isGiven: boolean;
	/** What to do then. */
	usedBefore: 'skip' | 'sendAnyway';
}

export interface Accepted {
	messageUuid?: string;
	code?: number;
	/** It was there before, and was not sent again. */
	alreadySent?: true;
	/** The message as the service shows it, where it was looked up. */
	message?: FoundMessage;
}

/** What is certain about one entry. */
export type Fate =
	| ({ kind: 'accepted' } & Accepted)
	/** It certainly was not sent. */
	| { kind: 'refused'; error: unknown }
	| { kind: 'unknown'; error: unknown }
	/** It was never tried, because of what happened before it. */
	| { kind: 'held' };

export interface DeliveryOptions {
	endpoint: SendEndpoint;
	/**
	 * Whether an entry that is not found under its own id certainly is not there. The contract names own ids for
	 * single messages only.
	 */
	canBeSettled: boolean;
	/** Go on with the next request after one in which something failed. */
	goOn: boolean;
	/** What must appear in no message: the login in the callback address. */
	secrets: readonly string[];
}

/** The service took the request and not this entry of it. */
export class RefusedEntryError extends Error {
	constructor(
		readonly code: number | undefined,
		readonly words: string,
	) {
		super(words === '' ? `code ${code}` : words);
	}
}

/** What could not be looked up is not sent: it may be there already. */
const notLooked = (error: unknown): unknown =>
	error instanceof ServiceError
		? error.after('Whether the Own IDs were used before could not be looked up.')
		: error;

/** The same own id for another number or channel is another message: VIBER first, and SMS when it fails. */
const isFor = ({ body }: Outgoing, { destination, channelType }: FoundMessage): boolean =>
	(destination === undefined || destination === body.destination) &&
	(channelType === undefined || !('channelType' in body) || channelType === body.channelType);

/** Sends entries, each exactly once whatever the network does, and tells what became of each. */
class Delivery {
	readonly fates: Fate[];

	private readonly memory: Memory;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly entries: readonly Outgoing[],
		private readonly options: DeliveryOptions,
	) {
		this.memory = memoryOf(context);
		this.fates = entries.map(({ itemIndex }) => {
			const known = this.memory.accepted.get(itemIndex);
			return known === undefined ? { kind: 'held' } : { kind: 'accepted', ...known };
		});
	}

	async run(): Promise<Fate[]> {
		// What is not known stays so, and holds back the others.
		if (!(await this.settleDoubtful())) return this.fates;
		try {
			await this.lookBefore();
		} catch (failure) {
			const error = notLooked(failure);
			for (const place of this.open()) this.fates[place] = { kind: 'refused', error };
		}
		for (const batch of inBatches(this.open(), messageLimits.perRequest)) {
			if (this.cancelled?.aborted) break;
			if (!(await this.sendBatch(batch))) break;
		}
		return this.fates;
	}

	private get cancelled() {
		return this.context.getExecutionCancelSignal();
	}

	private open(places: readonly number[] = [...this.fates.keys()]): number[] {
		return places.filter((place) => this.fates[place]?.kind === 'held');
	}

	private entry(place: number): Outgoing {
		// Places are indexes of the entries.
		return this.entries[place] as Outgoing;
	}

	private idsOf(places: readonly number[]): string[] {
		return places.flatMap((place) => this.entry(place).ownId ?? []);
	}

	private accept(place: number, accepted: Accepted): void {
		const { itemIndex } = this.entry(place);
		this.fates[place] = { kind: 'accepted', ...accepted };
		this.memory.accepted.set(itemIndex, accepted);
		this.memory.unknown.delete(itemIndex);
	}

	private isInDoubt(place: number): boolean {
		return this.memory.unknown.has(this.entry(place).itemIndex);
	}

	/** In a run that is being repeated, some may have been sent before. Whether it is known by now which. */
	private async settleDoubtful(): Promise<boolean> {
		const inDoubt = this.open().filter((place) => this.isInDoubt(place));
		if (inDoubt.length === 0) return true;
		const failure = await lookFor(async () => await this.adopt(inDoubt), this.cancelled).then(
			() => undefined,
			(error: unknown) => ({ error }),
		);
		if (failure === undefined) return true;
		for (const place of this.open(inDoubt)) this.fates[place] = { kind: 'unknown', ...failure };
		return false;
	}

	/** Made-up ids are new; only given ones may be there already. */
	private async lookBefore(): Promise<void> {
		const { older } = this.memory;
		const given = this.open().filter(
			(place) => this.entry(place).isGiven && !this.isInDoubt(place),
		);
		if (given.length === 0) return;
		const found = await findByOwnIds(this.context, this.idsOf(given));
		for (const place of given) {
			const entry = this.entry(place);
			const messages = found.get(entry.ownId ?? '') ?? [];
			for (const { messageUuid } of messages) older.add(messageUuid);
			const message = messages.find((one) => isFor(entry, one));
			if (message === undefined || entry.usedBefore === 'sendAnyway') continue;
			this.accept(place, { messageUuid: message.messageUuid, message, alreadySent: true });
		}
	}

	/** Whether to go on with the next one. */
	private async sendBatch(places: readonly number[]): Promise<boolean> {
		const error = await untilSettled(
			async () => await this.attempt(this.open(places)),
			async () => await this.adopt(this.open(places)),
			this.cancelled,
		).catch((failure: unknown) => failure);
		// Cancelled before it was sent.
		if (error instanceof CancelledError) return false;
		const isRefusal = error instanceof ServiceError && error.outcome !== 'unknown';
		const left = this.open(places);
		for (const place of left) {
			this.fates[place] = { kind: isRefusal ? 'refused' : 'unknown', error };
			if (!isRefusal) this.memory.unknown.add(this.entry(place).itemIndex);
		}
		if (left.length > 0 && !isRefusal) return false;
		return this.options.goOn || places.every((place) => this.fates[place]?.kind === 'accepted');
	}

	private async attempt(places: readonly number[]): Promise<void> {
		const entries = places.map((place) => this.entry(place));
		const { endpoint, secrets } = this.options;
		const reply = await send(
			this.context,
			endpoint,
			// Each entry was made for this endpoint and held against its schema.
			{ body: new WrittenBody(entries.map(({ body }) => body)) } as WrittenRequestOf<SendEndpoint>,
			{ secrets },
		);
		const matched = matchReply(
			entries.map(({ ownId }) => ownId),
			reply,
		);
		for (const [index, item] of matched.entries()) this.take(places[index] as number, item);
		if (this.open(places).length > 0) {
			throw new IncompleteReplyError('The service did not answer for all messages');
		}
	}

	private take(place: number, item: ReplyItem | undefined): void {
		const taken = item && isTaken(item);
		if (item === undefined || taken === undefined) return;
		const { messageUuid, code } = item;
		if (taken) this.accept(place, { messageUuid: messageUuid ?? undefined, code });
		else {
			this.fates[place] = { kind: 'refused', error: new RefusedEntryError(code, wordsOf(item)) };
		}
	}

	/** Takes what is there although its answer was lost. Whether nothing is left. */
	private async adopt(places: readonly number[]): Promise<boolean> {
		const found = await findByOwnIds(this.context, this.idsOf(places));
		for (const place of places) {
			const entry = this.entry(place);
			const message = found
				.get(entry.ownId ?? '')
				?.find((one) => isFor(entry, one) && !this.memory.older.has(one.messageUuid));
			if (message !== undefined) this.accept(place, { messageUuid: message.messageUuid, message });
		}
		if (this.open(places).length === 0) return true;
		if (this.options.canBeSettled) return false;
		throw new Error('What is not found may be there all the same');
	}
}

export const deliver = async (
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
	options: DeliveryOptions,
): Promise<Fate[]> => await new Delivery(context, entries, options).run();
