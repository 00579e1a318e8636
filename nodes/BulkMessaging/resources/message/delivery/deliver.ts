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
import { readSendReply, type EntryReport } from './reply';

export interface MessageDeliveryOptions {
	endpoint: SendEndpoint;
	/**
	 * Whether a message that isn't found by its custom message ID certainly wasn't sent. The contract describes these IDs for
	 * single messages only.
	 */
	canProveAbsence: boolean;
	/** Whether to continue with the next request after a failure. */
	continueAfterFailure: boolean;
	/** Texts that no error may show, such as the login in the callback URL. */
	secrets: readonly string[];
}

/** The service responded to the request and reported an error for this entry. */
export class EntryError extends UnconfirmedError {
	constructor(
		readonly code: number | undefined,
		readonly words: string,
	) {
		super(words);
	}
}

const notSafe =
	"Nothing was sent. The node couldn't check whether these messages were already sent. To send them anyway, set 'If the Custom Message ID Was Used Before' to 'Send Anyway'.";

/** The error for messages that aren't sent because the node couldn't check whether they were sent before. */
const notCheckedBefore = (error: unknown): unknown => {
	if (error instanceof ServiceError) {
		return error.after("The node couldn't check whether the custom message IDs were used before.");
	}
	if (error instanceof UnsettledError)
		return new UserError(error.message, { description: notSafe });
	return error;
};

const nationalDigits = 10;

/** Whether it certainly is another number. A masked number, or one in another format, may be the same. */
const isOtherNumber = (found: string | undefined, wanted: string): boolean =>
	found !== undefined &&
	/^\+?\d{10,15}$/.test(found) &&
	found.slice(-nationalDigits) !== wanted.slice(-nationalDigits);

/** Whether it certainly is another channel. A channel that the contract doesn't know may be the same. */
const isOtherChannel = (found: string | undefined, wanted: string | undefined): boolean => {
	const name = found?.toUpperCase() ?? '';
	const known: readonly string[] = ChannelType.known;
	return wanted !== undefined && known.includes(name) && name !== wanted.toUpperCase();
};

/** The same ID for another number or channel is another message: for example, Viber first and SMS if that fails. */
const isFor = (
	{ body, isGiven }: Outgoing,
	{ destination, channelType }: FoundMessage,
): boolean => {
	// A generated ID belongs to this message only.
	if (!isGiven) return true;
	const channel = 'channelType' in body ? String(body.channelType) : undefined;
	return !isOtherNumber(destination, body.destination) && !isOtherChannel(channelType, channel);
};

/** Sends entries, each exactly once even if responses are lost, and returns each entry's fate. */
class MessageDelivery {
	readonly fates: Fate[];

	private readonly memory: SendingMemory;

	/** Whether the last search found a message that certainly exists. */
	private isProven = false;

	private witness = new Witness();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly entries: readonly Outgoing[],
		private readonly options: MessageDeliveryOptions,
	) {
		this.memory = sendingMemory(context);
		this.fates = entries.map(({ itemIndex }) => {
			const known = this.memory.accepted.get(itemIndex);
			return known === undefined ? { kind: 'notTried' } : { kind: 'accepted', ...known };
		});
	}

	async run(): Promise<Fate[]> {
		const { identity } = await connect(this.context, 'messaging');
		this.witness = witnessOf(identity);
		// If it stays unknown whether a message was sent, the others aren't sent either.
		if (!(await this.resolveDoubtful())) return this.fates;
		try {
			await this.lookBefore();
		} catch (failure) {
			const error = notCheckedBefore(failure);
			for (const place of this.open()) {
				const { itemIndex, isGiven, usedBefore } = this.entry(place);
				// The user wants it sent in any case, but afterwards it can't be told apart from an earlier message.
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
		return places.filter((place) => this.fates[place]?.kind === 'notTried');
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
	 * When n8n retries the node, some messages may have been sent by an earlier try. Returns whether all of them are resolved:
	 * found now, or certainly not sent and without a successful response.
	 */
	private async resolveDoubtful(): Promise<boolean> {
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

	/** Only IDs that the user gave may have been used before; generated ones are new. */
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

	/** Whether an earlier message has to be found if there is one, because otherwise it would be sent again. */
	private mustFindOlder(places: readonly number[]): boolean {
		const isProtected = places.some((place) => this.entry(place).usedBefore === 'skip');
		return this.options.canProveAbsence && isProtected;
	}

	/** Returns whether to continue with the next batch. */
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

	/** Sets the fate of the messages that a request left open. Returns whether to continue with the next batch. */
	private conclude(places: readonly number[], error: unknown): boolean {
		// The execution was canceled before the request was sent.
		if (error instanceof CancelledError) return false;
		const isRefusal = error instanceof ServiceError && error.outcome !== 'unknown';
		const left = this.open(places);
		for (const place of left) {
			if (isRefusal) this.fates[place] = { kind: 'refused', error };
			else this.doubt(place, error);
		}
		if (left.length > 0 && !isRefusal) return false;
		return (
			this.options.continueAfterFailure ||
			places.every((place) => this.fates[place]?.kind === 'accepted')
		);
	}

	private doubt(place: number, error: unknown): void {
		this.fates[place] = { kind: 'unknown', error };
		this.memory.unknown.set(this.entry(place).itemIndex, error);
	}

	/**
	 * Whether the missing messages certainly weren't sent: the service's list has already shown a message at the age that these
	 * have now, and it doesn't show these.
	 */
	private get mayBeSentAgain(): boolean {
		const { canProveAbsence } = this.options;
		const isCertain = canProveAbsence && this.isProven && this.memory.blind.size === 0;
		return isCertain && this.witness.listsWithin(Date.now() - this.memory.sentAt);
	}

	/** Sends the entries. If the service accepts the request, each of them has a fate afterwards. */
	private async attempt(places: readonly number[]): Promise<void> {
		const entries = places.map((place) => this.entry(place));
		const { endpoint, secrets } = this.options;
		this.memory.sentAt = Date.now();
		const reply: unknown = await send(
			this.context,
			endpoint,
			// Each entry was made for this endpoint and checked against its schema.
			{ body: new WrittenBody(entries.map(({ body }) => body)) } as WrittenRequestOf<SendEndpoint>,
			{ secrets },
		);
		const reports = readSendReply(
			entries.map(({ ownId }) => ownId),
			reply,
		);
		for (const [index, report] of reports.entries()) this.apply(places[index] as number, report);
		const silent = this.open(places);
		if (silent.length === 0) return;
		// A search may find messages that the response doesn't mention. They were accepted even if it doesn't.
		await this.adopt(silent).catch(() => undefined);
		const answer = reply === undefined ? null : toSafeData(reply);
		for (const place of this.open(silent)) this.accept(place, { unconfirmed: { answer } });
	}

	private apply(place: number, report: EntryReport): void {
		switch (report.kind) {
			case 'accepted': {
				const { ownId } = this.entry(place);
				if (ownId !== undefined) this.witness.accept(ownId, Date.now(), report.messageUuid);
				this.accept(place, { messageUuid: report.messageUuid, code: report.code });
				return;
			}
			case 'refused':
				this.fates[place] = {
					kind: 'refused',
					error: new EntryError(report.code, report.words),
				};
				return;
			case 'unclear':
				this.doubt(place, new EntryError(report.code, report.words));
				return;
			case 'silent':
		}
	}

	/** Accepts messages that a search finds although their response was lost. Returns whether none is left. */
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
			// It certainly exists: the next search for missing messages must find it as well.
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
