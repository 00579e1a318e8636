import type { IExecuteFunctions } from 'n8n-workflow';
import { WrittenBody, type WrittenRequestOf } from '../../../../../core/contract/endpoint';
import { messageLimits } from '../../../../../core/contract/messaging';
import { claim, claimsOn } from '../../../../../core/claims';
import { ledgerOf } from '../../../../../core/engine/ledger';
import { inBatches } from '../../../../../core/transport/batches';
import {
	asError,
	CancelledError,
	orCancelled,
	ServiceError,
	settled,
} from '../../../../../core/transport/outcome';
import { hideSecrets } from '../../../../../core/transport/connection';
import { send } from '../../../../../core/transport/send';
import { claimNamer, type IdClaim } from './idClaims';
import { isTried, messageJournalOf, type MessageRecord } from './journal';
import type { FoundMessage, Outcomes, Outgoing, SendEndpoint, SendOutcome } from './outgoing';
import { readSendReply } from './reply';
import { channelOf, lookForLost, lookForSent } from './search';

/** A request may be carried out up to 200 seconds late. The error about it says to run again in 5 minutes. */
const unknownForMs = 5 * 60_000;

/** A message's ID, claimed by this run. */
interface ClaimedId {
	readonly entry: Outgoing;
	readonly own: IdClaim;
	/**
	 * The claims that came before. This run's own, of earlier tries, have ended and decide nothing: no two items have one ID, and
	 * what was sent for this item is in the run's record.
	 */
	readonly before: readonly IdClaim[];
}

/**
 * Claims the custom message IDs, all in the same moment. So of two runs with the same IDs, one has claimed all of them before the
 * other, and they never wait for each other.
 */
const claimIds = async (
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
): Promise<ClaimedId[]> => {
	const nameOf = await claimNamer(context);
	const owner = ledgerOf(context);
	return entries
		.filter(({ isGiven }) => isGiven)
		.map((entry) => {
			const name = nameOf(entry);
			const before: readonly IdClaim[] =
				entry.usedBefore === 'skip' ? claimsOn(name, unknownForMs) : [];
			return { entry, before, own: claim(name, owner) };
		});
};

const upperChannelOf = (entry: Outgoing): string | undefined => channelOf(entry)?.toUpperCase();

/** What the other runs' results mean for this run's message. `undefined`: they haven't sent it. */
const decide = ({ entry, before }: ClaimedId): SendOutcome | undefined => {
	const channel = upperChannelOf(entry);
	let unknown: SendOutcome | undefined;
	for (const { result } of before) {
		// The same ID for another channel is another message.
		const isOther = channel !== undefined && (result?.channel ?? channel) !== channel;
		if (result?.outcome === undefined || isOther) continue;
		const { outcome } = result;
		if (outcome.is === 'unknown') unknown = outcome;
		if (outcome.is !== 'done') continue;
		return { is: 'done', value: { messageUuid: outcome.value.messageUuid, alreadySent: true } };
	}
	return unknown;
};

/**
 * Waits until other runs with the same IDs have a result, and returns what it decides here. The service isn't asked, because its
 * list may not show a new message yet.
 */
const awaitOthers = async (
	context: IExecuteFunctions,
	claimed: readonly ClaimedId[],
): Promise<Outcomes> => {
	const ended = Promise.all(claimed.flatMap(({ before }) => before.map((one) => one.ended)));
	await orCancelled(ended, context.getExecutionCancelSignal(), undefined);
	const decided: Outcomes = new Map();
	for (const one of claimed) {
		const outcome = decide(one);
		if (outcome !== undefined) decided.set(one.entry, outcome);
	}
	return decided;
};

const toAccepted = (message: FoundMessage, isEarlier = false): SendOutcome => ({
	is: 'done',
	value: {
		messageUuid: message.messageUuid || undefined,
		message,
		...(isEarlier && { alreadySent: true }),
	},
});

/** The messages of one request. */
type MessageBatch = readonly Outgoing[];

/** Sends one request. Never throws, because the request may have been carried out. */
const post = async (
	context: IExecuteFunctions,
	batch: MessageBatch,
	endpoint: SendEndpoint,
): Promise<Outcomes> => {
	const all = (outcome: SendOutcome): Outcomes => new Map(batch.map((entry) => [entry, outcome]));
	try {
		const sent = await settled<unknown>(
			send(
				context,
				endpoint,
				// Each entry was made for this endpoint and checked against its schema.
				{
					body: new WrittenBody(batch.map(({ body }) => body)),
				} as WrittenRequestOf<SendEndpoint>,
			),
		);
		if (sent.is !== 'done') return all(sent);
		const reports = readSendReply(
			batch.map(({ ownId }) => ownId),
			sent.value,
		);
		return new Map(batch.map((entry, place) => [entry, reports[place] as SendOutcome]));
	} catch (error) {
		// Credential and values are checked before, so that a fault of any other kind may come after the request.
		return all({ is: 'unknown', error: asError(error) });
	}
};

/** The messages that an earlier run has sent. If that can't be found out, those that must not be sent twice aren't sent. */
export const findSentBefore = async (
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
): Promise<Outcomes> => {
	// Generated IDs are new.
	const given = entries.filter(({ isGiven, usedBefore }) => isGiven && usedBefore === 'skip');
	try {
		const found = await lookForSent(context, given);
		return new Map([...found].map(([entry, message]) => [entry, toAccepted(message, true)]));
	} catch (failure) {
		// They weren't tried.
		if (failure instanceof CancelledError) return new Map();
		const error =
			failure instanceof ServiceError
				? failure.after("The node couldn't check whether the custom message IDs were used before.")
				: asError(failure);
		return new Map(given.map((entry) => [entry, { is: 'refused', error }]));
	}
};

/** Requests that are sent at the same time. Their results decide whether any more are sent. */
type Turn = readonly MessageBatch[];

const sendsAtATime = 6;

const toTurns = (entries: readonly Outgoing[]): Turn[] => {
	const [first, ...others] = inBatches(entries, messageLimits.perRequest);
	// The first request goes alone, because a service that rejects it will reject the others too.
	return first === undefined ? [] : [[first], ...inBatches(others, sendsAtATime)];
};

/** Sends the requests of one turn. What the service hasn't carried out, because several may be too many for it, is `again`. */
const postTurn = async (
	context: IExecuteFunctions,
	turn: Turn,
	endpoint: SendEndpoint,
): Promise<{ outcomes: Outcomes; again: Turn }> => {
	const posted = await Promise.all(
		turn.map(async (batch) => ({ batch, came: await post(context, batch, endpoint) })),
	);
	const isTooMany = ({ came }: { came: Outcomes }) =>
		turn.length > 1 && [...came.values()].every(({ is }) => is === 'notCarriedOut');
	return {
		outcomes: new Map(posted.flatMap((one) => (isTooMany(one) ? [] : [...one.came]))),
		again: posted.filter(isTooMany).map(({ batch }) => batch),
	};
};

/** Sends the messages in turns. Returns what became of each turn; the next one is sent only if the caller continues. */
async function* postInTurns(
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
	endpoint: SendEndpoint,
): AsyncGenerator<Outcomes> {
	let turns = toTurns(entries);
	while (turns.length > 0) {
		const [turn = [], ...later] = turns;
		const { outcomes, again } = await postTurn(context, turn, endpoint);
		// From then on, the requests go one by one.
		turns = again.length > 0 ? [...again, ...later.flat()].map((batch) => [batch]) : later;
		yield outcomes;
	}
}

/**
 * Sends each message at most once, and writes to the journal what became of it. A message that was sent, or may have been, is never
 * sent again: neither by another try of the same run (Retry On Fail) nor, if the user gave it an ID, by another run.
 */
export const deliver = async (
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
	endpoint: SendEndpoint,
): Promise<MessageRecord[]> => {
	const { messages, secrets } = messageJournalOf(context);
	hideSecrets(context, [...secrets]);
	const recordOf = (entry: Outgoing): MessageRecord => messages.get(entry.itemIndex) ?? { entry };
	const outcomeOf = (entry: Outgoing) => recordOf(entry).outcome;
	const note = (outcomes: Iterable<[Outgoing, SendOutcome]>, isOthers?: true): void => {
		for (const [entry, outcome] of outcomes) {
			// The execution was canceled before the request was sent.
			if (outcome.is === 'notCarriedOut' && outcome.error instanceof CancelledError) continue;
			const message = { entry, outcome, isOthers: isOthers ?? recordOf(entry).isOthers };
			messages.set(entry.itemIndex, message);
			// The results name the message, in every try.
			if (isTried(message)) ledgerOf(context).acts = () => '';
		}
	};
	const lookFor = async (lost: readonly Outgoing[]): Promise<void> => {
		const found = await lookForLost(context, lost);
		note([...found].map(([entry, one]) => [entry, toAccepted(one, recordOf(entry).isOthers)]));
	};
	const are = (is: SendOutcome['is'] | undefined) =>
		entries.filter((entry) => outcomeOf(entry)?.is === is);

	for (const entry of entries) {
		if (!isTried(recordOf(entry))) messages.set(entry.itemIndex, { entry });
	}
	const claimed = await claimIds(context, entries);
	try {
		const undecided = claimed.filter(({ entry }) => outcomeOf(entry) === undefined);
		note(await awaitOthers(context, undecided), true);
		await lookFor(are('unknown'));
		note(await findSentBefore(context, are(undefined)));
		const continues = context.continueOnFail();
		// Without an outcome, the execution was canceled.
		const isEnd = (entry: Outgoing) => {
			const is = outcomeOf(entry)?.is;
			return is === undefined || is === 'unknown' || (is !== 'done' && !continues);
		};
		const isStopped = !continues && are('refused').length > 0;
		for await (const came of postInTurns(context, isStopped ? [] : are(undefined), endpoint)) {
			note(came);
			await lookFor([...came.keys()].filter((entry) => outcomeOf(entry)?.is === 'unknown'));
			if ([...came.keys()].some(isEnd)) break;
		}
		return entries.map(recordOf);
	} finally {
		for (const { entry, own } of claimed) {
			const { outcome, isOthers } = recordOf(entry);
			// Don't pass on another run's unknown outcome: by then the service's list shows it.
			const isTheirs = outcome?.is === 'unknown' && isOthers === true;
			own.end({ channel: upperChannelOf(entry), outcome: isTheirs ? undefined : outcome });
		}
	}
};
