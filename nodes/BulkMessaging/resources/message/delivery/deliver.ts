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
import {
	messagesOf,
	type FoundMessage,
	type Outcomes,
	type Outgoing,
	type SendEndpoint,
	type SendOutcome,
} from './outgoing';
import { readSendReply } from './reply';
import { channelOf, lookForLost, lookForSent } from './search';

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
			const before: readonly IdClaim[] = entry.usedBefore === 'skip' ? claimsOn(name) : [];
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
 * Sends each message at most once. A message that was sent, or may have been, is never sent again: neither by another try of the
 * same run (Retry On Fail) nor, if the user gave it an ID, by another run.
 */
export const deliver = async (
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
	endpoint: SendEndpoint,
): Promise<Outcomes> => {
	const { sent, secrets } = messagesOf(context);
	hideSecrets(context, [...secrets]);
	const outcomes: Outcomes = new Map();
	const note = (entry: Outgoing, outcome: SendOutcome, isOthers = false): void => {
		// The execution was canceled before the request was sent.
		if (outcome.is === 'notCarriedOut' && outcome.error instanceof CancelledError) return;
		outcomes.set(entry, outcome);
		if (outcome.is === 'done' || outcome.is === 'unknown') {
			// The results name the message, in every try.
			ledgerOf(context).acts = () => '';
			sent.set(entry.itemIndex, { entry, outcome, isOthers });
		}
	};
	const open = () => entries.filter((entry) => !outcomes.has(entry));
	const claimed = await claimIds(context, entries);
	try {
		for (const entry of entries) {
			const earlier = sent.get(entry.itemIndex);
			if (earlier !== undefined) outcomes.set(entry, earlier.outcome);
		}
		const undecided = claimed.filter(({ entry }) => !outcomes.has(entry));
		for (const one of await awaitOthers(context, undecided)) note(...one, true);
		const doubtful = entries.filter((entry) => outcomes.get(entry)?.is === 'unknown');
		for (const [entry, message] of await lookForLost(context, doubtful)) {
			const isOthers = sent.get(entry.itemIndex)?.isOthers;
			note(entry, toAccepted(message, isOthers), isOthers);
		}
		const before = await findSentBefore(context, open());
		for (const one of before) note(...one);
		const continues = context.continueOnFail();
		const isStopped = !continues && [...before.values()].some(({ is }) => is === 'refused');
		// Without an outcome, the execution was canceled.
		const isEnd = (outcome: SendOutcome | undefined) =>
			outcome === undefined || outcome.is === 'unknown' || (outcome.is !== 'done' && !continues);
		const unsent = isStopped ? [] : open();
		for await (const came of postInTurns(context, unsent, endpoint)) {
			for (const one of came) note(...one);
			const lost = [...came].flatMap(([entry, { is }]) => (is === 'unknown' ? [entry] : []));
			for (const [entry, message] of await lookForLost(context, lost)) {
				note(entry, toAccepted(message));
			}
			if ([...came.keys()].some((entry) => isEnd(outcomes.get(entry)))) break;
		}
		return outcomes;
	} finally {
		for (const { entry, own } of claimed) {
			const outcome = outcomes.get(entry);
			// Another run's unknown outcome counts from that run's end. Then the list decides.
			const isOthers = outcome?.is === 'unknown' && sent.get(entry.itemIndex)?.isOthers === true;
			own.end({ channel: upperChannelOf(entry), outcome: isOthers ? undefined : outcome });
		}
	}
};
