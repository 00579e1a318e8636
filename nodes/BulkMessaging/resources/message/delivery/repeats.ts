import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { claim, claimsOn } from '../../../../../core/engine/claims';
import { addHint, howMany } from '../../../../../core/engine/hints';
import { ledgerOf } from '../../../../../core/engine/ledger';
import type { Outgoing, Sent } from './outgoing';

/** A user who executes the workflow twice by mistake does so within this time. */
const recentMs = 10 * 60_000;

/** When a message was sent, and by which item of its run. */
interface SentAt {
	at: number;
	itemIndex: number;
}

/** Identifies what the recipient gets. Options such as the time to live don't make it another message. */
const claimName = (workflowId: string | undefined, { body }: Outgoing): string => {
	const steps = 'cascade' in body && Array.isArray(body.cascade) ? body.cascade : [body];
	const seen = steps.map(({ channelType, content }) => [channelType, content]);
	const key = JSON.stringify([workflowId, body.destination, seen]);
	return `text ${createHash('sha256').update(key).digest('base64')}`;
};

/**
 * Hints that the same text was sent to the same number a moment ago. It is only a hint: without a custom message ID, the node
 * can't tell an accidental second run from a second message that the user wants.
 */
export const hintAtRepeats = (context: IExecuteFunctions, sent: readonly Sent[]): void => {
	const { id } = context.getWorkflow();
	const owner = ledgerOf(context);
	const at = Date.now();
	let repeats = 0;
	for (const { entry, alreadySent } of sent) {
		if (alreadySent || entry.isGiven) continue;
		const name = claimName(id, entry);
		const { itemIndex } = entry;
		const isRepeat = claimsOn<SentAt>(name).some(
			({ result, owner: run }) =>
				result !== undefined &&
				at - result.at < recentMs &&
				// With Retry On Fail, the same message is reported by each try.
				!(run === owner && result.itemIndex === itemIndex),
		);
		if (isRepeat) repeats++;
		claim<SentAt>(name, owner).end({ at, itemIndex });
	}
	const skipped = sent.filter(({ alreadySent }) => alreadySent).length;
	if (skipped > 0) {
		addHint(
			context,
			`${howMany(skipped, 'message was', 'messages were')} not sent again, because ${skipped === 1 ? 'it was' : 'they were'} already sent.`,
		);
	}
	if (repeats > 0) {
		addHint(
			context,
			`${howMany(repeats, 'message has', 'messages have')} the same phone number and text as one sent in the last 10 minutes. To prevent duplicates, fill in 'Custom Message ID', for example with the CRM record's ID.`,
		);
	}
};
