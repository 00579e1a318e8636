import { UserError, type IExecuteFunctions } from 'n8n-workflow';
import { WrittenBody, type WrittenRequestOf } from '../../../../../core/contract/endpoint';
import { messageLimits } from '../../../../../core/contract/messaging';
import { ChannelType } from '../../../../../core/contract/values';
import { inBatches } from '../../../../../core/transport/batches';
import { toSafeData } from '../../../../../core/json';
import { connect } from '../../../../../core/transport/connection';
import { CancelledError, ServiceError } from '../../../../../core/transport/errors';
import {
	lookUntilThere,
	lookThenSend,
	UnconfirmedError,
	UnsettledError,
	wasAnswered,
} from '../../../../../core/transport/lookThenSend';
import { send } from '../../../../../core/transport/send';
import { Witness, witnessOf } from '../../../../../core/transport/witness';
import type { AcceptedMessage, Fate, Outgoing, SendEndpoint } from './fate';
import { findEarlier, lookForOwnIds, type FoundMessage } from './lookUp';
import { sendingMemory, type SendingMemory } from './memory';
import { readSendReply, type Told } from './reply';

export interface MessageDeliveryOptions {
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

/** The service accepted the request and reports an error for this entry of it. */
export class EntryError extends UnconfirmedError {
	constructor(
		readonly code: number | undefined,
		readonly words: string,
	) {
		super(words);
	}
}

const notSafe =
	'Nothing was sent, because it could not be checked whether these messages were sent before. To send them anyway, choose "Send Anyway" in the option "If the Custom Message ID Was Used Before".';

/** What could not be looked up is not sent: it may be there already. */
const notCheckedBefore = (error: unknown): unknown => {
	if (error instanceof ServiceError) {
		return error.after('Whether the Custom Message IDs were used before could not be looked up.');
	}
	if (error instanceof UnsettledError)
		return new UserError(error.message, { description: notSafe });
	return error;
};

const nationalDigits = 10;

/** Whether it plainly is another number. One that is masked, or written in another way, may be the same. */
const isOtherNumber = (found: string | undefined, wanted: string): boolean =>
	found !== undefined &&
	/^\+?\d{10,15}$/.test(found) &&
	found.slice(-nationalDigits) !== wanted.slice(-nationalDigits);

/** Whether it plainly is another channel: one of those the contract names. */
const isOtherChannel = (found: string | undefined, wanted: string | undefined): boolean => {
	const name = found?.toUpperCase() ?? '';
	const known: readonly string[] = ChannelType.known;
	return wanted !== undefined && known.includes(name) && name !== wanted.toUpperCase();
};

/** The same own id for another number or channel is another message: VIBER first, and SMS when it fails. */
const isFor = (
	{ body, isGiven }: Outgoing,
	{ destination, channelType }: FoundMessage,
): boolean => {
	// Nobody else has an ID that was made up for this message.
	if (!isGiven) return true;
	const channel = 'channelType' in body ? String(body.channelType) : undefined;
	return !isOtherNumber(destination, body.destination) && !isOtherChannel(channelType, channel);
};

/** Sends entries, each exactly once whatever the network does, and tells what became of each. */
class MessageDelivery {
	readonly fates: Fate[];

	private readonly memory: SendingMemory;

	/** The last look has shown a message that certainly is there. */
	private isProven = false;

	/** What is known about the account's list of messages. */
	private witness = new Witness();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly entries: readonly Outgoing[],
		private readonly options: MessageDeliveryOptions,
	) {
		this.memory = sendingMemory(context);
		this.fates = entries.map(({ itemIndex }) => {
			const known = this.memory.accepted.get(itemIndex);
			return known === undefined ? { kind: 'held' } : { kind: 'accepted', ...known };
		});
	}

	async run(): Promise<Fate[]> {
		const { identity } = await connect(this.context, 'messaging');
		this.witness = witnessOf(identity);
		// What is not known stays so, and holds back the others.
		if (!(await this.settleDoubtful())) return this.fates;
		try {
			await this.lookBefore();
		} catch (failure) {
			const error = notCheckedBefore(failure);
			for (const place of this.open()) {
				const { itemIndex, isGiven, usedBefore } = this.entry(place);
				// The user wants it sent whatever is there. Only, it can't be told from an older one afterwards.
				if (isGiven && usedBefore === 'sendAnyway') this.memory.blind.add(itemIndex);
				else this.fates[place] = { kind: 'refused', error };
			}
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

	private accept(place: number, accepted: AcceptedMessage): void {
		const { itemIndex } = this.entry(place);
		this.fates[place] = { kind: 'accepted', ...accepted };
		this.memory.accepted.set(itemIndex, accepted);
		this.memory.unknown.delete(itemIndex);
	}

	private isInDoubt(place: number): boolean {
		return this.memory.unknown.has(this.entry(place).itemIndex);
	}

	/**
	 * In a run that is being repeated, some may have been sent before. Whether all of them are settled: found now, or
	 * certainly not there and never answered for.
	 */
	private async settleDoubtful(): Promise<boolean> {
		const inDoubt = this.open().filter((place) => this.isInDoubt(place));
		if (inDoubt.length === 0) return true;
		const failure = await lookUntilThere(
			async () => await this.adopt(this.open(inDoubt)),
			this.cancelled,
		).then(
			() => undefined,
			(error: unknown) => ({ error }),
		);
		const maySendAgain = failure === undefined && this.mayBeSentAgain;
		const left = this.open(inDoubt).filter((place) => {
			const { itemIndex } = this.entry(place);
			return !maySendAgain || wasAnswered(this.memory.unknown.get(itemIndex));
		});
		for (const place of left) {
			const { itemIndex } = this.entry(place);
			const error = failure?.error ?? this.memory.unknown.get(itemIndex);
			this.fates[place] = { kind: 'unknown', error };
		}
		return left.length === 0;
	}

	/** Made-up ids are new; only given ones may be there already. */
	private async lookBefore(): Promise<void> {
		const { older } = this.memory;
		const given = this.open().filter(
			(place) => this.entry(place).isGiven && !this.isInDoubt(place),
		);
		if (given.length === 0) return;
		const found = await findEarlier(
			this.context,
			this.idsOf(given),
			this.mustFindOlder(given) ? this.witness.settledOne() : undefined,
		);
		for (const place of given) {
			const entry = this.entry(place);
			const messages = found.get(entry.ownId ?? '') ?? [];
			for (const { messageUuid } of messages) {
				if (messageUuid === '') this.memory.blind.add(entry.itemIndex);
				else older.add(messageUuid);
			}
			const message = messages.find((one) => isFor(entry, one));
			if (message === undefined || entry.usedBefore === 'sendAnyway') continue;
			this.accept(place, { messageUuid: message.messageUuid, message, alreadySent: true });
		}
	}

	/** Whether an older message must be found if there is one: nothing else keeps it from being sent again. */
	private mustFindOlder(places: readonly number[]): boolean {
		const isProtected = places.some((place) => this.entry(place).usedBefore === 'skip');
		return this.options.canBeSettled && isProtected;
	}

	/** Whether to go on with the next one. */
	private async sendBatch(places: readonly number[]): Promise<boolean> {
		const isSearchable = this.idsOf(places).length > 0;
		const error = await (isSearchable ? this.sendAndLook(places) : this.attempt(places)).catch(
			(failure: unknown) => failure,
		);
		return this.conclude(places, error);
	}

	private async sendAndLook(places: readonly number[]): Promise<void> {
		await lookThenSend({
			attempt: async () => await this.attempt(this.open(places)),
			isThere: async () => await this.adopt(this.open(places)),
			isProven: () => this.mayBeSentAgain,
			cancelled: this.cancelled,
		});
	}

	/** What is left open when a request has ended. Whether to go on with the next one. */
	private conclude(places: readonly number[], error: unknown): boolean {
		// Cancelled before it was sent.
		if (error instanceof CancelledError) return false;
		const isRefusal = error instanceof ServiceError && error.outcome !== 'unknown';
		const left = this.open(places);
		for (const place of left) {
			if (isRefusal) this.fates[place] = { kind: 'refused', error };
			else this.doubt(place, error);
		}
		if (left.length > 0 && !isRefusal) return false;
		return this.options.goOn || places.every((place) => this.fates[place]?.kind === 'accepted');
	}

	private doubt(place: number, error: unknown): void {
		this.fates[place] = { kind: 'unknown', error };
		this.memory.unknown.set(this.entry(place).itemIndex, error);
	}

	/** A message that was accepted no earlier before than these were sent is listed, and they are not. */
	private get mayBeSentAgain(): boolean {
		const { canBeSettled } = this.options;
		const isTelling = canBeSettled && this.isProven && this.memory.blind.size === 0;
		return isTelling && this.witness.listsWithin(Date.now() - this.memory.sentAt);
	}

	/** Sends the entries. Once the service has accepted the request, none of them is open any more. */
	private async attempt(places: readonly number[]): Promise<void> {
		const entries = places.map((place) => this.entry(place));
		const { endpoint, secrets } = this.options;
		this.memory.sentAt = Date.now();
		const reply: unknown = await send(
			this.context,
			endpoint,
			// Each entry was made for this endpoint and held against its schema.
			{ body: new WrittenBody(entries.map(({ body }) => body)) } as WrittenRequestOf<SendEndpoint>,
			{ secrets },
		);
		const told = readSendReply(
			entries.map(({ ownId }) => ownId),
			reply,
		);
		for (const [index, one] of told.entries()) this.take(places[index] as number, one);
		const silent = this.open(places);
		if (silent.length === 0) return;
		// The service may show what its answer doesn't tell. It was accepted, found or not.
		await this.adopt(silent).catch(() => undefined);
		const answer = reply === undefined ? null : toSafeData(reply);
		for (const place of this.open(silent)) this.accept(place, { unconfirmed: { answer } });
	}

	private take(place: number, told: Told): void {
		switch (told.kind) {
			case 'accepted': {
				const { ownId } = this.entry(place);
				if (ownId !== undefined) this.witness.accept(ownId, Date.now(), told.messageUuid);
				this.accept(place, { messageUuid: told.messageUuid, code: told.code });
				return;
			}
			case 'refused':
				this.fates[place] = {
					kind: 'refused',
					error: new EntryError(told.code, told.words),
				};
				return;
			case 'unclear':
				this.doubt(place, new EntryError(told.code, told.words));
				return;
			case 'silent':
		}
	}

	/** Takes what is there although its answer was lost. Whether nothing is left. */
	private async adopt(places: readonly number[]): Promise<boolean> {
		const control = this.witness.newestId;
		const { found, isProven } = await lookForOwnIds(this.context, this.idsOf(places), control);
		this.isProven = isProven;
		if (isProven && control !== undefined) this.witness.see(control);
		for (const place of places) {
			const entry = this.entry(place);
			if (this.memory.blind.has(entry.itemIndex)) continue;
			const message = found
				.get(entry.ownId ?? '')
				?.find((one) => isFor(entry, one) && !this.memory.older.has(one.messageUuid));
			if (message === undefined) continue;
			// It certainly is there: the next look must find it beside what is still missing.
			if (entry.ownId !== undefined)
				this.witness.accept(entry.ownId, this.memory.sentAt, message.messageUuid);
			this.accept(place, { messageUuid: message.messageUuid || undefined, message });
		}
		return this.open(places).length === 0;
	}
}

export const deliverMessages = async (
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
	options: MessageDeliveryOptions,
): Promise<Fate[]> => await new MessageDelivery(context, entries, options).run();
