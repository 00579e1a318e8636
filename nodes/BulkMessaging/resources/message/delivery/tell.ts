import { hash } from 'crypto';
import {
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type NodeApiError,
} from 'n8n-workflow';
import { messageErrorText } from '../../../../../core/contract/errors';
import { outcomeByStatus } from '../../../../../core/contract/readEvent';
import { claim, type Claim, claimsOn, textClaim } from '../../../../../core/claims';
import { toNodeError } from '../../../../../core/engine/failure';
import { addHint, howMany } from '../../../../../core/engine/hints';
import { ledgerOf } from '../../../../../core/engine/ledger';
import type { Run } from '../../../../../core/engine/operation';
import { rangesOf } from '../../../../../core/engine/progress';
import { secretsOf } from '../../../../../core/transport/connection';
import { causeWords, ServiceError } from '../../../../../core/transport/outcome';
import { toShowable } from '../../../../../core/transport/redact';
import type { Outcomes, Outgoing, SendOutcome, Sent } from './outgoing';
import { EntryError } from './reply';

interface Told {
	entry: Outgoing;
	/** `undefined`: sending stopped before this message, because of a failure or a cancellation. */
	outcome: SendOutcome | undefined;
}
type FailedMessage = Told & { outcome: Exclude<SendOutcome, { is: 'done' }> | undefined };
type Shown = Error & { description?: string | null };

const sentences = (...texts: Array<string | false | null | undefined>) =>
	texts.filter((text) => text).join(' ');

const wordsOf = ({ message, description }: Shown) => sentences(`${message}.`, description);

/** The code of a message that the balance doesn't cover. */
const tooLittleMoney = 402;

/** The error for one message that was not accepted. */
const failureOf = (
	node: INode,
	{ entry: { itemIndex, ownId, isGiven, usedBefore }, outcome }: FailedMessage,
	secrets: readonly string[],
): Shown => {
	if (outcome === undefined) {
		return new NodeOperationError(node, 'Not sent, because sending stopped before this message', {
			itemIndex,
		});
	}
	const named = ownId === undefined ? '' : ` with the custom message ID ${ownId}`;
	const unknown = (words: string) =>
		new NodeOperationError(node, `It is not known whether the message${named} was sent`, {
			itemIndex,
			description: sentences(
				ownId === undefined
					? "Check it in your account on the provider's website before you send it again."
					: "Check it with 'Get' before you send it again.",
				isGiven &&
					usedBefore === 'skip' &&
					"To send it after all, set 'If the Custom Message ID Was Used Before' to 'Send Anyway'.",
				words,
			),
		});
	if (outcome.error instanceof EntryError) {
		const { code, words, isAbout } = outcome.error;
		const says = words && `The service says: ${toShowable(words, secrets)}`;
		const coded = code !== undefined && `(code ${code})`;
		if (outcome.is === 'unknown') {
			const report = isAbout
				? sentences('The service accepted the request but reported an error', coded)
				: "The service accepted the request, but its response doesn't say what became of this message";
			return unknown(sentences(`${report}.`, says));
		}
		const message = sentences('The service rejected this message', coded);
		const advice = code === tooLittleMoney ? 'Top up your balance' : 'Check its values';
		const meaning = messageErrorText(code) ?? `${advice}, then send it again.`;
		return new NodeOperationError(node, says ? `${message}. ${says}` : message, {
			itemIndex,
			description: sentences('This message was not sent.', meaning),
		});
	}
	return outcome.is === 'unknown'
		? unknown(causeWords(outcome.error))
		: toNodeError(node, outcome.error, { itemIndex, params: [] });
};

const itemList = (some: readonly Told[]) => rangesOf(some.map(({ entry }) => entry.itemIndex));

const titleOf = (unknown: number, failed: number, total: number, isCancelled: boolean) => {
	// n8n recognizes a cancellation by this spelling of "canceled" and doesn't treat it as a failure.
	if (isCancelled) {
		return unknown === failed
			? 'The execution was canceled, and it is not known whether all messages were sent'
			: 'The execution was canceled before all messages were sent';
	}
	const some = (count: number) => `${count} of ${total} messages ${count === 1 ? 'was' : 'were'}`;
	return unknown > 0 ? `It is not known whether ${some(unknown)} sent` : `${some(failed)} not sent`;
};

/** The error if the service rejected the first request as a whole, so that nothing was sent. */
const refusalOfAll = (all: readonly Told[]): ServiceError | undefined => {
	const outcome = all[0]?.outcome;
	if (outcome === undefined || outcome.is === 'done' || outcome.is === 'unknown') return undefined;
	const { error } = outcome;
	const isOfAll = all.every(
		({ outcome: one }) => one === undefined || ('error' in one && one.error === error),
	);
	return isOfAll && error instanceof ServiceError ? error : undefined;
};

/** Adds the same facts as data: n8n keeps them with the error. */
const withReport = (
	error: NodeApiError | NodeOperationError,
	failed: readonly FailedMessage[],
	accepted: number,
) => {
	Object.assign(error.context, {
		accepted,
		firstItemNotAccepted: failed[0]?.entry.itemIndex,
		failedItems: failed.map(({ entry }) => entry.itemIndex),
		unknownOwnIds: failed.flatMap(({ entry, outcome }) =>
			outcome?.is === 'unknown' ? (entry.ownId ?? []) : [],
		),
	});
	return error;
};

/** What to do with the messages that were sent, or may have been. */
const adviceToRepeat = (accepted: readonly Told[], unknown: readonly Told[]): string => {
	const sent = [...accepted, ...unknown];
	// The service may not keep the ID of a cascade.
	const isSafe = ({ entry: { isGiven, usedBefore, body } }: Told) =>
		isGiven && usedBefore === 'skip' && !('cascade' in body);
	if (sent.every(isSafe)) {
		return accepted.length === 0
			? ''
			: 'If you run this again with the same custom message IDs, the accepted messages are not sent again.';
	}
	const which = [
		...(accepted.length > 0 ? ['accepted'] : []),
		...(unknown.length > 0 ? ['unknown'] : []),
	];
	const why =
		unknown.length > 0 || sent.every(({ entry }) => entry.isGiven)
			? 'they may be sent again'
			: 'without a custom message ID, they are sent again';
	return `If you run this again, leave out the ${which.join(' and ')} items: ${why}.`;
};

/**
 * The error that stops a run. n8n drops a failed node's output, so the error itself has to say how many messages were
 * accepted, which items weren't, and what running again would do.
 */
const stopOf = (
	node: INode,
	all: readonly Told[],
	failed: readonly FailedMessage[],
	{ secrets, isCancelled }: { secrets: readonly string[]; isCancelled: boolean },
): Error => {
	const refusal = isCancelled ? undefined : refusalOfAll(all);
	if (refusal !== undefined) {
		const error = toNodeError(node, refusal.after('Nothing was sent.'), { params: [] });
		return withReport(error, failed, 0);
	}
	// One that wasn't tried has no reason of its own.
	const first = failed.find(({ outcome }) => outcome !== undefined) ?? failed[0];
	const cause = failureOf(node, first as FailedMessage, secrets);
	if (all.length === 1 && !isCancelled) return cause;
	const notSent = failed.filter(({ outcome }) => outcome === undefined);
	const unknown = failed.filter(({ outcome }) => outcome?.is === 'unknown');
	const refused = failed.filter(({ outcome }) => outcome !== undefined && outcome.is !== 'unknown');
	const accepted = all.filter(({ outcome }) => outcome?.is === 'done');
	const stopped = new NodeOperationError(
		node,
		titleOf(unknown.length, failed.length, all.length, isCancelled),
		{
			description: sentences(
				`The service accepted ${accepted.length} of ${all.length}.`,
				refused.length > 0 && `Failed: ${itemList(refused)}.`,
				unknown.length > 0 && `Unknown: ${itemList(unknown)}.`,
				notSent.length > 0 && `Not sent: ${itemList(notSent)}.`,
				accepted.length + unknown.length > 0 && adviceToRepeat(accepted, unknown),
				`First failure: ${wordsOf(cause)}`,
			),
		},
	);
	return withReport(stopped, failed, accepted.length);
};

/** Whether a message that was sent with the ID before has reached nobody, and won't. */
const hasFailed = ({ message }: Sent): boolean => outcomeByStatus(message?.status) === 'failed';

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
const hintAtRepeats = (context: IExecuteFunctions, sent: readonly Sent[]): void => {
	const { id } = context.getWorkflow();
	const owner = ledgerOf(context);
	let repeats = 0;
	for (const { entry, alreadySent } of sent) {
		if (alreadySent || entry.isGiven) continue;
		const { itemIndex } = entry;
		const name = claimName(id, entry);
		const before = claimsOn<number>(name, recentMs);
		// An earlier try of this run has claimed it for the same item: that is this very message.
		const isOther = (one: Claim<number>) =>
			one.owner !== owner || (one.result !== undefined && one.result < itemIndex);
		if (before.some(isOther)) repeats++;
		claim<number>(name, owner).end(itemIndex);
	}
	const skipped = sent.filter(({ alreadySent }) => alreadySent);
	const failed = skipped.filter(hasFailed).length;
	if (skipped.length > 0) {
		const again = `${howMany(skipped.length, 'message was', 'messages were')} not sent again, because ${skipped.length === 1 ? 'it was' : 'they were'} already sent.`;
		const advice = `${howMany(failed, 'earlier message')} failed. To send ${failed === 1 ? 'it' : 'them'} again, use a new custom message ID.`;
		addHint(context, sentences(again, failed > 0 && advice));
	}
	if (repeats > 0) {
		addHint(
			context,
			`${howMany(repeats, 'message has', 'messages have')} the same phone number and text as one sent in the last 10 minutes. To prevent duplicates, fill in 'Custom Message ID', for example with the CRM record's ID.`,
		);
	}
};

const isFailed = (one: Told): one is FailedMessage => one.outcome?.is !== 'done';

/**
 * Reports what became of the messages. Failed ones become error items in `output`, or stop the node. Returns the accepted ones,
 * whose items the operation makes.
 */
export const tell = async (
	run: Run<unknown>,
	entries: readonly Outgoing[],
	outcomes: Outcomes,
	output: Array<INodeExecutionData | undefined>,
): Promise<Sent[]> => {
	const { context } = run;
	const node = context.getNode();
	const all = entries.map((entry): Told => ({ entry, outcome: outcomes.get(entry) }));
	const failed = all.filter(isFailed);
	const secrets = secretsOf(context);
	const isCancelled = context.getExecutionCancelSignal()?.aborted === true;
	if (failed.length > 0 && (isCancelled || !context.continueOnFail())) {
		throw stopOf(node, all, failed, { secrets, isCancelled });
	}
	for (const one of failed) {
		const { itemIndex } = one.entry;
		output[itemIndex] = run.failed(itemIndex, failureOf(node, one, secrets));
	}
	const sent = all.flatMap(({ entry, outcome }): Sent[] =>
		outcome?.is === 'done' ? [{ entry, ...outcome.value }] : [],
	);
	hintAtRepeats(context, sent);
	return sent;
};
