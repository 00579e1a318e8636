import { hash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { claim, type Claim, claimsOn, textClaim } from '../../../../../core/claims';
import { outcomeByStatus } from '../../../../../core/contract/readEvent';
import { addHint, howMany } from '../../../../../core/engine/hints';
import { ledgerOf } from '../../../../../core/engine/ledger';
import type { AcceptedRecord } from './journal';
import type { Outgoing } from './outgoing';

const wasSentBefore = ({ outcome: { value } }: AcceptedRecord): boolean =>
	value.alreadySent === true;

/** Whether a message that was sent with the ID before has reached nobody, and won't. */
const hasFailed = ({ outcome: { value } }: AcceptedRecord): boolean =>
	outcomeByStatus(value.message?.status) === 'failed';

/** A user who executes the workflow twice by mistake does so within this time. */
const recentMs = 10 * 60_000;

/** Identifies what the recipient gets. Options such as the time to live don't make it another message. */
const claimName = (workflowId: string | undefined, { body, asked }: Outgoing): string => {
	const steps = 'cascade' in body && Array.isArray(body.cascade) ? body.cascade : [body];
	const seen = steps.map(({ channelType, content }) => [channelType, asked?.content ?? content]);
	const key = JSON.stringify([workflowId, body.destination, seen]);
	return `${textClaim}${hash('sha256', key, 'base64')}`;
};

/**
 * Hints that the same text was sent to the same number a moment ago. It is only a hint: without a custom message ID, the node
 * can't tell an accidental second run from a second message that the user wants.
 */
export const hintAtRepeats = (
	context: IExecuteFunctions,
	sent: readonly AcceptedRecord[],
): void => {
	const { id } = context.getWorkflow();
	const owner = ledgerOf(context);
	let repeats = 0;
	for (const message of sent) {
		const { entry } = message;
		if (wasSentBefore(message) || entry.isGiven) continue;
		const { itemIndex } = entry;
		const name = claimName(id, entry);
		const before = claimsOn<number>(name, recentMs);
		// An earlier try of this run has claimed it for the same item: that is this very message.
		const isOther = (one: Claim<number>) =>
			one.owner !== owner || (one.result !== undefined && one.result < itemIndex);
		if (before.some(isOther)) repeats++;
		claim<number>(name, owner).end(itemIndex);
	}
	const skipped = sent.filter(wasSentBefore);
	const failed = skipped.filter(hasFailed).length;
	if (skipped.length > 0) {
		const again = `${howMany(skipped.length, 'message was', 'messages were')} not sent again, because ${skipped.length === 1 ? 'it was' : 'they were'} already sent.`;
		const advice = `${howMany(failed, 'earlier message')} failed. To send ${failed === 1 ? 'it' : 'them'} again, use a new custom message ID.`;
		addHint(context, failed > 0 ? `${again} ${advice}` : again);
	}
	if (repeats > 0) {
		addHint(
			context,
			`${howMany(repeats, 'message has', 'messages have')} the same phone number and text as one sent in the last 10 minutes. To prevent duplicates, fill in 'Custom Message ID', for example with the CRM record's ID.`,
		);
	}
};
