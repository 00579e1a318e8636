import type { IExecuteFunctions } from 'n8n-workflow';
import { claimsOn, type Claim } from '../../../../../core/claims';
import { ledgerOf } from '../../../../../core/engine/ledger';
import { connect } from '../../../../../core/transport/connection';
import type { FoundMessage, Outgoing, SendOutcome } from './outgoing';
import { isSameUuid } from './reply';

/** What became of a message with a claimed ID: for the channel, or for any if it is a cascade. */
interface ClaimedOutcome {
	channel: string | undefined;
	outcome: SendOutcome | undefined;
}

export type IdClaim = Claim<ClaimedOutcome>;

/** Returns a function that names a message's claim. */
export const claimNamer = async (context: IExecuteFunctions) => {
	const { identity } = await connect(context, 'messaging');
	return ({ ownId, body }: Outgoing): string =>
		`message ${JSON.stringify([identity, ownId, body.destination])}`;
};

/** Whether a message that was found may be the one of this claim. */
const mayBelongTo = ({ result }: IdClaim, { messageUuid }: FoundMessage): boolean => {
	// That run hasn't ended.
	if (result === undefined) return true;
	const { outcome } = result;
	if (outcome?.is !== 'done') return outcome?.is === 'unknown';
	const { messageUuid: uuid = '' } = outcome.value;
	// Without both UUIDs, the two can't be told apart.
	return uuid === '' || messageUuid === '' || isSameUuid(messageUuid, uuid);
};

/**
 * Returns a function that tells whether a message that was found may be another run's. With 'Send Anyway', runs don't wait for each
 * other, so several may have sent the same ID at the same time.
 */
export const othersMessages = async (context: IExecuteFunctions) => {
	const nameOf = await claimNamer(context);
	const owner = ledgerOf(context);
	return (entry: Outgoing, found: FoundMessage): boolean =>
		entry.usedBefore === 'sendAnyway' &&
		// However long ago they ended: this run may have been at work for longer.
		claimsOn<ClaimedOutcome>(nameOf(entry), Infinity).some(
			(one) => one.owner !== owner && mayBelongTo(one, found),
		);
};
