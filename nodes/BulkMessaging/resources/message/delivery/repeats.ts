import type { IExecuteFunctions } from 'n8n-workflow';
import { addHint, howMany } from '../../../../../core/engine/hints';
import type { Fate, Outgoing } from './fate';

/** A user who executes the workflow twice by mistake does so within this time. */
const recentMs = 10 * 60_000;
/** More than a user sends by hand in that time. When there are more, the oldest are dropped. */
const mostKept = 10_000;

/** When each message was sent, by workflow, recipient and content, oldest first. Known only to this process. */
const sentAt = new Map<string, number>();
/** Always the same iterator: a new one would pass every removed entry again, so the time would grow with the square of the messages. */
const oldestFirst = sentAt.keys();

/** Identifies what the recipient gets. Options such as the time to live don't make it another message. */
const keyOf = (workflowId: string | undefined, { body }: Outgoing): string => {
	const steps = 'cascade' in body && Array.isArray(body.cascade) ? body.cascade : [body];
	const seen = steps.map(({ channelType, content }) => [channelType, content]);
	return JSON.stringify([workflowId, body.destination, seen]);
};

const keep = (key: string, now: number): void => {
	sentAt.delete(key);
	sentAt.set(key, now);
	while (sentAt.size > mostKept) {
		const { done, value } = oldestFirst.next();
		if (done) return;
		sentAt.delete(value);
	}
};

/**
 * Hints that the same text was sent to the same number a moment ago. It is only a hint: without a custom message ID, the node
 * can't tell an accidental second run from a second message that the user wants.
 */
export const hintAtRepeats = (
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
	fates: readonly Fate[],
	now = Date.now(),
): void => {
	const { id } = context.getWorkflow();
	let repeats = 0;
	let skipped = 0;
	for (const [index, entry] of entries.entries()) {
		const fate = fates[index];
		if (fate?.kind !== 'accepted') continue;
		if (fate.alreadySent) skipped++;
		if (fate.alreadySent || entry.isGiven) continue;
		const key = keyOf(id, entry);
		const before = sentAt.get(key);
		if (before !== undefined && now - before < recentMs) repeats++;
		keep(key, now);
	}
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
