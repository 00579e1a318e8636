import { UserError, type IExecuteFunctions } from 'n8n-workflow';
import { WrittenBody, type WrittenRequestOf } from '../../../../../core/contract/endpoint';
import { messageLimits } from '../../../../../core/contract/messaging';
import { claim, type Claim, claimsOn } from '../../../../../core/engine/claims';
import { ledgerOf } from '../../../../../core/engine/ledger';
import { inBatches } from '../../../../../core/transport/batches';
import {
	asError,
	CancelledError,
	orCancelled,
	ServiceError,
	settled,
} from '../../../../../core/transport/outcome';
import { connect } from '../../../../../core/transport/connection';
import { send } from '../../../../../core/transport/send';
import {
	messagesOf,
	type FoundMessage,
	type Outcomes,
	type Outgoing,
	type SendEndpoint,
	type SendOutcome,
} from './outgoing';
import { readSendReply } from './reply';
import { channelOf, lookBefore, lookForLost, UnreliableListError } from './search';

type IdClaim = Claim<SendOutcome | 'notTried'>;

/** A message's ID, claimed by this run. */
interface ClaimedId {
	readonly entry: Outgoing;
	readonly own: IdClaim;
	/** The claims of other runs that came before. */
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
	const { identity } = await connect(context, 'messaging');
	const owner = ledgerOf(context);
	return entries
		.filter(({ isGiven }) => isGiven)
		.map((entry) => {
			const { ownId, body, usedBefore } = entry;
			const of = [identity, ownId, channelOf(entry)?.toUpperCase(), body.destination];
			const name = `message ${JSON.stringify(of)}`;
			const others: readonly IdClaim[] = usedBefore === 'skip' ? claimsOn(name) : [];
			const before = others.filter((one) => one.owner !== owner);
			return { entry, before, own: claim(name, owner) };
		});
};

/** What the other runs' results mean for this run's message. `undefined`: they haven't sent it. */
const decide = (before: readonly IdClaim[]): SendOutcome | undefined => {
	let unknown: SendOutcome | undefined;
	for (const { result } of before) {
		if (typeof result !== 'object') continue;
		if (result.is === 'unknown') unknown = result;
		if (result.is !== 'done') continue;
		return { is: 'done', value: { messageUuid: result.value.messageUuid, alreadySent: true } };
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
	for (const { entry, before } of claimed) {
		const outcome = decide(before);
		if (outcome !== undefined) decided.set(entry, outcome);
	}
	return decided;
};

interface PostOptions {
	endpoint: SendEndpoint;
	/** Texts that no error may show, such as the login in the callback URL. */
	secrets: readonly string[];
}

const toAccepted = (message: FoundMessage, isEarlier = false): SendOutcome => ({
	is: 'done',
	value: {
		messageUuid: message.messageUuid || undefined,
		message,
		...(isEarlier && { alreadySent: true }),
	},
});

const postOnce = async (
	context: IExecuteFunctions,
	batch: readonly Outgoing[],
	{ endpoint, secrets }: PostOptions,
): Promise<Outcomes> => {
	const sent = await settled<unknown>(
		send(
			context,
			endpoint,
			// Each entry was made for this endpoint and checked against its schema.
			{ body: new WrittenBody(batch.map(({ body }) => body)) } as WrittenRequestOf<SendEndpoint>,
			{ secrets },
		),
	);
	if (sent.is !== 'done') return new Map(batch.map((entry) => [entry, sent]));
	const reports = readSendReply(
		batch.map(({ ownId }) => ownId),
		sent.value,
	);
	return new Map(batch.map((entry, place) => [entry, reports[place] as SendOutcome]));
};

/** Sends one request, and looks for the messages that may have been sent. It never sends a message twice. */
const post = async (
	context: IExecuteFunctions,
	batch: readonly Outgoing[],
	options: PostOptions,
): Promise<Outcomes> => {
	// Credential and values are checked before, so that a fault of any other kind may come after the request.
	const outcomes = await postOnce(context, batch, options).catch((error: unknown): Outcomes => {
		const outcome: SendOutcome = { is: 'unknown', error: asError(error) };
		return new Map(batch.map((entry) => [entry, outcome]));
	});
	const lost = batch.filter((entry) => outcomes.get(entry)?.is === 'unknown');
	for (const [entry, message] of await lookForLost(context, lost)) {
		outcomes.set(entry, toAccepted(message));
	}
	return outcomes;
};

/** The error for messages that aren't sent because the node couldn't check whether they were sent before. */
const notChecked = (error: unknown): Error => {
	if (error instanceof ServiceError) {
		return error.after("The node couldn't check whether the custom message IDs were used before.");
	}
	if (error instanceof UnreliableListError) {
		return new UserError(error.message, {
			description:
				"The node couldn't check whether these messages were already sent, so it didn't send them now. To send them anyway, set 'If the Custom Message ID Was Used Before' to 'Send Anyway'.",
		});
	}
	return asError(error);
};

/** The messages that an earlier run has sent. If that can't be found out, those that must not be sent twice aren't sent. */
export const findSentBefore = async (
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
): Promise<Outcomes> => {
	const outcomes: Outcomes = new Map();
	const given = entries.filter(({ isGiven }) => isGiven);
	try {
		for (const [entry, message] of await lookBefore(context, given)) {
			outcomes.set(entry, toAccepted(message, true));
		}
	} catch (failure) {
		// They weren't tried.
		if (failure instanceof CancelledError) return outcomes;
		const error = notChecked(failure);
		for (const entry of given) {
			if (entry.usedBefore === 'skip') outcomes.set(entry, { is: 'refused', error });
		}
	}
	return outcomes;
};

/**
 * Sends each message at most once. A message that was sent, or may have been, is never sent again: neither by another try of the
 * same run (Retry On Fail) nor, if the user gave it an ID, by another run.
 */
export const deliver = async (
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
	options: PostOptions,
): Promise<Outcomes> => {
	const { sent } = messagesOf(context);
	const outcomes: Outcomes = new Map();
	const note = (entry: Outgoing, outcome: SendOutcome): void => {
		// The execution was canceled before the request was sent.
		if (outcome.is === 'notCarriedOut' && outcome.error instanceof CancelledError) return;
		outcomes.set(entry, outcome);
		if (outcome.is === 'done' || outcome.is === 'unknown') {
			sent.set(entry.itemIndex, { entry, outcome });
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
		const byOthers = await awaitOthers(context, undecided);
		for (const one of byOthers) note(...one);
		const doubtful = entries.filter((entry) => outcomes.get(entry)?.is === 'unknown');
		for (const [entry, message] of await lookForLost(context, doubtful)) {
			note(entry, toAccepted(message, byOthers.has(entry)));
		}
		for (const one of await findSentBefore(context, open())) note(...one);
		const continues = context.continueOnFail();
		const isEnd = ({ is }: SendOutcome) => is === 'unknown' || (is !== 'done' && !continues);
		for (const batch of inBatches(open(), messageLimits.perRequest)) {
			const posted = await post(context, batch, options);
			for (const one of posted) note(...one);
			if ([...posted.values()].some(isEnd)) break;
		}
		return outcomes;
	} finally {
		for (const { entry, own } of claimed) own.end(outcomes.get(entry) ?? 'notTried');
	}
};
