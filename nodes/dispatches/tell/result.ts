import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { withoutCode } from '../../../core/contract/dispatchName';
import { addHint } from '../../../core/engine/hints';
import { outcomeByStatus } from '../../../core/contract/readEvent';
import { z } from '../../../vendor/zod';
import type { DispatchPlan } from '../plan/plan';
import type { AcceptedRecipient, DispatchId } from '../plan/rows';
import {
	countPeople,
	hasItAlready,
	NotReached,
	sumUp,
	toPeopleFields,
	type Counted,
} from './people';
import { toRecipientItems, toRejectedState, type RecipientState } from './rows';
import type { Checked, HasIt, Placed } from '../job';
import {
	partnerApi,
	type DispatchState,
	type FinalState,
	type ShownDispatch,
} from '../ask/partner';
import { describeSent } from '../words';

export const Summary = z.object({
	summary: z.string(),
	name: z.string(),
	status: z.string(),
	recipients: z.number(),
	reached: z.number(),
	onTheWay: z.number(),
	failed: z.number(),
	leftOut: z.number(),
	hasItAlready: z.number(),
	notStarted: z.number(),
	unknown: z.number(),
	duplicates: z.number(),
	reasons: z.object({
		unreadableNumber: z.number(),
		missingValue: z.number(),
		emptyText: z.number(),
		rejectedByService: z.number(),
		notDelivered: z.number(),
	}),
	notReached: z.array(NotReached.extend({ name: z.string(), item: z.number() })),
	priceEstimate: z.object({ total: z.number(), currency: z.string(), parts: z.number() }),
	dispatchId: z.number(),
});

/** What became of one dispatch, for its rows and its summary. */
interface ToldDispatch {
	dispatchId: DispatchId;
	/** The message of each accepted recipient. */
	placed: Placed;
	/** The dispatch's own fields in the summary. */
	summary: IDataObject;
	/** Those who were in an earlier dispatch, and which dispatches those are, in words. */
	hasIt?: readonly HasIt[];
	earlier?: string;
	/** Whether the dispatch was started; `undefined` if that wasn't wanted. */
	started?: boolean;
	notStartedBecause?: string;
	/** By `messageUuid`, if the node waited for delivery. */
	finals?: ReadonlyMap<string, FinalState>;
	senderNames?: ReadonlyMap<number, string>;
	/** Why the service rejected recipients, by their numbers, where it says so. */
	reasons?: ReadonlyMap<string, string>;
	/** The reason for all others; the partner API's if missing. */
	whyRejected?: string;
}

/** The result of one dispatch. */
export interface DispatchResult {
	items: INodeExecutionData[];
	counted: Counted;
	/** The dispatch that was created or changed. */
	dispatchId?: DispatchId;
}

export const stateSummary = (
	{ name, status, estimate, parts }: ShownDispatch,
	currency?: string,
): IDataObject => ({
	name: name && withoutCode(name),
	status,
	priceEstimate: { total: estimate, currency, parts },
});

/** Without a final state, all that is known is that the service accepted the message. */
const rowOutcome = (
	final: FinalState | undefined,
	{ started = false, finals, summary }: ToldDispatch,
): string => {
	if (final !== undefined) {
		const outcome = outcomeByStatus(final.status);
		// Whether anything is still on its way from a stopped dispatch isn't known.
		return outcome === 'pending' && summary.status === 'STOPPED' ? 'unknown' : outcome;
	}
	if (!started) return 'notStarted';
	// The node waited, but the service doesn't list this message.
	return finals === undefined ? 'accepted' : 'unknown';
};

/** Why a message wasn't delivered, or wasn't sent. */
const whyNotReached = (
	outcome: string,
	final: FinalState | undefined,
	{ notStartedBecause }: ToldDispatch,
): { reason?: string; reasonCode?: string } => {
	if (outcome === 'failed') return final?.why ?? {};
	return { reason: outcome === 'notStarted' ? notStartedBecause : undefined };
};

/** The result for one accepted recipient. */
const stateOf = (
	one: AcceptedRecipient,
	told: ToldDispatch,
	/** Only rows show texts, and each takes a while to work out. */
	withText: boolean,
): RecipientState => {
	const { itemIndex, position, destination } = one;
	const { dispatchId, placed, finals, senderNames, reasons } = told;
	const message = placed[position];
	const ownText = withText ? one.text : undefined;
	if (!message) {
		const reason = reasons?.get(destination) ?? told.whyRejected ?? partnerApi.whyRejected;
		const why = { outcome: 'failed', reason, reasonCode: 'rejectedByService' };
		return { itemIndex, position, columns: { destination, ...why, text: ownText, dispatchId } };
	}
	const { messageUuid, parts, senderId = 0 } = message;
	const final = finals?.get(messageUuid);
	const outcome = rowOutcome(final, told);
	const { reason, reasonCode } = whyNotReached(outcome, final, told);
	if (!withText)
		return { itemIndex, position, columns: { destination, outcome, reason, reasonCode } };
	const columns = {
		destination,
		outcome,
		reason,
		reasonCode,
		// What the service stores, if it was read.
		text: final?.text ?? message.text ?? ownText,
		// 0 if the response doesn't show them.
		parts: parts || undefined,
		price: final?.price ?? undefined,
		sender: senderNames?.get(senderId),
		status: final?.status,
		messageUuid,
		dispatchId,
	};
	return { itemIndex, position, columns };
};

/** A person who is in an earlier dispatch, for rows. */
export const toHadState = ({ recipient, dispatchId }: HasIt): RecipientState => {
	const { itemIndex, position, destination } = recipient;
	const reason = `Is in dispatch ${dispatchId}, which was sent before`;
	const why = { outcome: 'skipped', reason, reasonCode: hasItAlready };
	return { itemIndex, position, columns: { destination, ...why, dispatchId } };
};

/** The dispatches in which people have it already, with their figures. */
export const earlierWords = (
	context: IExecuteFunctions,
	dispatches: readonly DispatchState[],
): string =>
	dispatches
		.map((one) => {
			const { total = 0, delivered = 0, failed = 0 } = one;
			const figures = [
				`${delivered.toLocaleString('en')} reached`,
				`${failed.toLocaleString('en')} failed`,
				...(total > delivered + failed
					? [`${(total - delivered - failed).toLocaleString('en')} on the way`]
					: []),
			];
			return `${describeSent(context, one)}: ${figures.join(', ')}`;
		})
		.join('; ');

/**
 * The result for every recipient, accepted or not, one after another, because a summary keeps none of them. In a summary, those whose
 * message was accepted and isn't followed any further have one result together: there can be hundreds of thousands.
 */
function* statesOf(plan: DispatchPlan<unknown>, told: ToldDispatch): Generator<RecipientState> {
	const withText = plan.choices.output === 'recipients';
	let alike: (RecipientState & { count: number }) | undefined;
	for (const one of plan.accepted) {
		const isAlike = !withText && told.finals === undefined && told.placed[one.position];
		if (!isAlike) yield stateOf(one, told, withText);
		else if (alike) alike.count++;
		else alike = { ...stateOf(one, told, withText), count: 1 };
	}
	if (alike) yield alike;
	for (const one of told.hasIt ?? []) yield toHadState(one);
	for (const one of plan.rejected) yield toRejectedState(one, told.dispatchId);
}

/** The output items for one dispatch. */
export const tellDispatch = (plan: DispatchPlan<unknown>, told: ToldDispatch): DispatchResult => {
	const { itemIndexes, choices, ownFields } = plan;
	const { dispatchId, summary } = told;
	const hasWaited = told.finals !== undefined;
	if (choices.output === 'recipients') {
		const states = [...statesOf(plan, told)];
		const items = toRecipientItems(states, ownFields);
		return { items, counted: countPeople(states, ownFields, hasWaited), dispatchId };
	}
	const counted = countPeople(statesOf(plan, told), ownFields, hasWaited);
	const { name, status, ...others } = summary;
	const people = { name, status, ...toPeopleFields(counted) };
	const json = { summary: sumUp(counted, told.earlier), ...people, ...others, dispatchId };
	const pairedItem = itemIndexes.map((item) => ({ item }));
	return { items: [{ json, pairedItem }], counted, dispatchId };
};

/** Nobody is left who doesn't have it yet: the figures of the dispatches in which they are, and a warning, because nothing was sent. */
export const tellNobodyNew = (
	context: IExecuteFunctions,
	plan: DispatchPlan<unknown>,
	{ job, hasIt, sentBefore, rejected }: Checked,
	more: IDataObject = {},
): DispatchResult => {
	const earlier = earlierWords(context, sentBefore);
	const newest = sentBefore.reduce<DispatchState | undefined>(
		(found, one) => (found === undefined || one.id > found.id ? one : found),
		undefined,
	);
	const told = tellDispatch(
		{ ...plan, accepted: [], rejected: [...rejected] },
		{
			dispatchId: newest?.id ?? 0,
			placed: [],
			summary: { name: job.head.name, status: newest?.status, ...more },
			hasIt,
			earlier,
		},
	);
	addHint(context, `Nothing new was sent. ${sumUp(told.counted, earlier)}`);
	return told;
};
