import type { IExecuteFunctions } from 'n8n-workflow';
import { claim, claimsOn, type Claim } from '../../../../../core/engine/claims';
import { ledgerOf } from '../../../../../core/engine/ledger';
import { orCancelled } from '../../../../../core/transport/retry';
import { connect } from '../../../../../core/transport/connection';
import { channelOf } from './look';
import type { SendOutcome, Outcomes, Outgoing } from './outgoing';

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
export const claimIds = async (
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
		const { messageUuid, unconfirmed } = result.value;
		return { is: 'done', value: { messageUuid, unconfirmed, alreadySent: true } };
	}
	return unknown;
};

/**
 * Waits until other runs with the same IDs have a result, and returns what it decides here. The service isn't asked, because its
 * list may not show a new message yet.
 */
export const awaitOthers = async (
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

export const endClaims = (claimed: readonly ClaimedId[], outcomes: Outcomes): void => {
	for (const { entry, own } of claimed) own.end(outcomes.get(entry) ?? 'notTried');
};
