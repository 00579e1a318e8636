import { NodeOperationError, type INode } from 'n8n-workflow';
import { messageErrorText } from '../../../../../core/contract/errors';
import type { NodeError } from '../../../../../core/engine/errors';
import { toNodeError } from '../../../../../core/engine/failure';
import { rangesOf } from '../../../../../core/engine/progress';
import { causeWords, ServiceError } from '../../../../../core/transport/outcome';
import { toShowable } from '../../../../../core/transport/redact';
import { isAccepted, isTried, isUnknown, type MessageRecord } from './journal';
import type { SendOutcome } from './outgoing';
import { EntryError } from './reply';

/* Every sentence about what became of messages: what happened, who got one, and what to do next. */

/** What happened, for programs: n8n stores it with the error. */
type Code =
	| 'unknown'
	| 'rejected'
	| 'notSent'
	| 'canceled'
	| 'tooMany'
	| 'oneNumber'
	| 'allSkipped';

export interface MessageWords {
	code: Code;
	title: string;
	description: string;
}

const sentences = (...texts: Array<string | false | undefined>) =>
	texts.filter((text) => text).join(' ');

const itemsOf = (messages: readonly MessageRecord[]) =>
	rangesOf(messages.map(({ entry }) => entry.itemIndex));

const isNever = (message: MessageRecord) => !isTried(message) && message.outcome !== undefined;

const isUntried = ({ outcome }: MessageRecord) => outcome === undefined;

/** Whether a later run finds the message by the user's ID. The service may not keep the ID of a cascade. */
const isFoundAgain = ({ entry: { isGiven, usedBefore, body } }: MessageRecord): boolean =>
	isGiven && usedBefore === 'skip' && !('cascade' in body);

/** Whether running again sends nothing twice. */
export const isSafe = (messages: readonly MessageRecord[]): boolean =>
	messages.filter(isTried).every(isFoundAgain);

/** A request may be carried out up to 200 seconds late. Until then, a run in another process could send the message again. */
const runAgain = (hasUnknown: boolean): string =>
	`Run it again${hasUnknown ? ' in 5 minutes' : ''}: it looks first and sends only what is missing.`;

const fillInIds = (atRisk: readonly MessageRecord[]) =>
	atRisk.every(({ entry }) => !entry.isGiven && !('cascade' in entry.body)) &&
	"Next time, fill in 'Custom Message ID': then running it again is always safe.";

/** What to do next about all messages of a run. */
const nextOf = (messages: readonly MessageRecord[]): string => {
	if (!messages.some(isTried)) return 'Run it again.';
	const atRisk = messages.filter((one) => isTried(one) && !isFoundAgain(one));
	if (atRisk.length === 0) return runAgain(messages.some(isUnknown));
	const again = atRisk.filter(isAccepted);
	const perhaps = atRisk.filter(isUnknown);
	const rest = messages.filter((one) => !atRisk.includes(one) && !isAccepted(one));
	return sentences(
		again.length > 0 && `Running it again would send ${itemsOf(again)} again.`,
		perhaps.length > 0 &&
			`Running it again may send ${itemsOf(perhaps)} twice: first check in your account on the provider's website whether ${perhaps.length === 1 ? 'it was' : 'they were'} sent.`,
		rest.length > 0 &&
			`To send the rest, run it again ${rest.some(isUnknown) ? 'in 5 minutes ' : ''}with only ${itemsOf(rest)}.`,
		fillInIds(atRisk),
	);
};

/** The code of a message that the balance doesn't cover. */
const tooLittleMoney = 402;

/** Why a message wasn't accepted, and what to do about it. */
const causeOf = (
	{ is, error }: Exclude<SendOutcome, { is: 'done' }>,
	secrets: readonly string[],
): { title: string; fix?: string } => {
	if (!(error instanceof EntryError)) {
		if (is === 'unknown') return { title: causeWords(error).replace(/\.$/, '') };
		return { title: error.message, fix: error instanceof ServiceError ? error.description : '' };
	}
	const { code, words, isAbout } = error;
	const coded = code === undefined ? '' : ` (code ${code})`;
	const said = words && `. The service says: ${toShowable(words, secrets)}`;
	if (is === 'unknown') {
		const report = isAbout
			? `The service accepted the request but reported an error${coded}`
			: "The service accepted the request, but its response doesn't say what became of this message";
		return { title: `${report}${said}` };
	}
	const fix = code === tooLittleMoney ? 'Top up your balance.' : 'Check its values.';
	return {
		title: `The service rejected this message${coded}${said}`,
		fix: messageErrorText(code) ?? fix,
	};
};

/** What the error about one message says. `all` are the messages of its run. */
export const describeMessage = (
	message: MessageRecord,
	all: readonly MessageRecord[],
	secrets: readonly string[],
): MessageWords => {
	const { entry, outcome } = message;
	// The messages of other items may have no ID by which the next run finds them.
	const next = isSafe(all)
		? runAgain(all.some(isUnknown))
		: `Run it again ${isUnknown(message) ? 'in 5 minutes ' : ''}with only this item.`;
	if (outcome === undefined || outcome.is === 'done') {
		const title = 'Not sent, because sending stopped before this message';
		return { code: 'notSent', title, description: next };
	}
	const { title, fix } = causeOf(outcome, secrets);
	if (outcome.is !== 'unknown') {
		const last = all.some(isTried) ? next : 'Run it again.';
		const description = sentences('This message was not sent.', fix, last);
		return { code: 'rejected', title, description };
	}
	const { ownId } = entry;
	const named = ownId === undefined ? '' : ` with the custom message ID ${ownId}`;
	const check = ownId === undefined ? "in your account on the provider's website" : "with 'Get'";
	const risk = `Running it again may send it twice: first check ${check} whether it was sent.`;
	return {
		code: 'unknown',
		title: `It is not known whether the message${named} was sent`,
		description: isFoundAgain(message)
			? sentences(`${title}.`, next)
			: sentences(`${title}.`, risk, fillInIds([message])),
	};
};

const titleOf = (unknown: number, failed: number, total: number, isCanceled: boolean) => {
	// n8n recognizes a cancellation by this spelling of "canceled" and doesn't treat it as a failure.
	if (isCanceled) {
		return unknown === failed
			? 'The execution was canceled, and it is not known whether all messages were sent'
			: 'The execution was canceled before all messages were sent';
	}
	const some = (count: number) => `${count} of ${total} messages ${count === 1 ? 'was' : 'were'}`;
	return unknown > 0 ? `It is not known whether ${some(unknown)} sent` : `${some(failed)} not sent`;
};

/** What the error about a run says that stopped before all messages were accepted. */
export const describeRun = (
	messages: readonly MessageRecord[],
	{ secrets, isCanceled }: { secrets: readonly string[]; isCanceled: boolean },
): MessageWords => {
	const accepted = messages.filter(isAccepted);
	const unknown = messages.filter(isUnknown);
	const named = (label: string, some: readonly MessageRecord[]) =>
		some.length > 0 && `${label}: ${itemsOf(some)}.`;
	const total = messages.length;
	const [cause] = messages.flatMap(({ outcome }) =>
		outcome === undefined || outcome.is === 'done' ? [] : [causeOf(outcome, secrets)],
	);
	return {
		code: isCanceled ? 'canceled' : unknown.length > 0 ? 'unknown' : 'notSent',
		title: titleOf(unknown.length, total - accepted.length, total, isCanceled),
		description: sentences(
			!messages.some(isTried) && 'Nothing was sent.',
			named(`The service accepted ${accepted.length} of ${total}`, accepted),
			named('Unknown', unknown),
			named('Failed', messages.filter(isNever)),
			named('Not sent', messages.filter(isUntried)),
			cause && `First failure: ${cause.title}.`,
			cause?.fix,
			nextOf(messages),
		),
	};
};

export const toError = (
	node: INode,
	{ code, title, description }: MessageWords,
	itemIndex?: number,
): NodeOperationError => {
	const error = new NodeOperationError(node, title, { itemIndex, description });
	error.context.code = code;
	return error;
};

/** The error if the service rejected the first request as a whole, so that nothing was sent. */
const refusalOfAll = (messages: readonly MessageRecord[]): ServiceError | undefined => {
	const outcome = messages.find(({ outcome: one }) => one !== undefined)?.outcome;
	if (outcome === undefined || !('error' in outcome) || outcome.is === 'unknown') return undefined;
	const { error } = outcome;
	const isOfAll = messages.every(
		({ outcome: one }) => one === undefined || ('error' in one && one.error === error),
	);
	return isOfAll && error instanceof ServiceError ? error : undefined;
};

/**
 * The error that stops a run. n8n drops a failed node's output, so the error itself says what became of each message, also as data.
 */
export const errorOfRun = (
	node: INode,
	messages: readonly MessageRecord[],
	about: { secrets: readonly string[]; isCanceled: boolean },
): NodeError => {
	const refusal = about.isCanceled ? undefined : refusalOfAll(messages);
	const [only] = messages.length === 1 && !about.isCanceled ? messages : [];
	const toOwnError = () =>
		only === undefined
			? toError(node, describeRun(messages, about))
			: toError(node, describeMessage(only, messages, about.secrets), only.entry.itemIndex);
	const error: NodeError =
		refusal === undefined
			? toOwnError()
			: toNodeError(node, refusal.after('Nothing was sent.'), { params: [] });
	const failed = messages.filter((message) => !isAccepted(message));
	const facts = {
		code: 'rejected',
		...error.context,
		accepted: messages.length - failed.length,
		firstItemNotAccepted: failed[0]?.entry.itemIndex,
		failedItems: failed.map(({ entry }) => entry.itemIndex),
		unknownOwnIds: failed.filter(isUnknown).flatMap(({ entry }) => entry.ownId ?? []),
	};
	Object.assign(error.context, facts);
	return error;
};
