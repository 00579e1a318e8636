import type { IExecuteFunctions } from 'n8n-workflow';
import type { Claim } from '../../../../../core/claims';
import { connect } from '../../../../../core/transport/connection';
import type { Outgoing, SendOutcome } from './outgoing';

/** What became of a message with a claimed ID: for the channel, or for any if it is a cascade. */
export type IdClaim = Claim<{ channel: string | undefined; outcome: SendOutcome | undefined }>;

/** Returns a function that names a message's claim. */
export const claimNamer = async (context: IExecuteFunctions) => {
	const { identity } = await connect(context, 'messaging');
	return ({ ownId, body }: Outgoing): string =>
		`message ${JSON.stringify([identity, ownId, body.destination])}`;
};
