import type { IDataObject } from 'n8n-workflow';
import { outcomeByStatus } from '../../../../core/contract/readEvent';
import { toItem } from '../../../../core/engine/items';
import type { DispatchProgress } from './delivery/interruption';
import type { FinalState } from './delivery/replies';
import { countByReason } from './plan/losses';
import { toRecipientItems, toRejectedState, type RecipientState } from './recipientRows';
import type { GroupResult } from './plan/groups';
import type { Sorted } from './plan/sorter';
import { z } from '../../../../vendor/zod';

export const Summary = z.object({
	dispatchId: z.number(),
	name: z.string(),
	status: z.string(),
	items: z.number(),
	total: z.number(),
	success: z.number(),
	failed: z.number(),
	priceEstimate: z.object({ total: z.number(), currency: z.string(), parts: z.number() }),
	rejected: z.object({
		unreadableNumber: z.number(),
		duplicate: z.number(),
		missingValue: z.number(),
		emptyText: z.number(),
		refusedByService: z.number(),
	}),
});

interface Placing extends Sorted {
	progress: DispatchProgress;
	itemIndexes: readonly number[];
	choices: { output: 'raw' | 'summary' | 'recipients' };
	ownFields: (itemIndex: number) => IDataObject;
}

/** Why a recipient with a valid number isn't in the dispatch. */
const absence = ({ isClosed }: DispatchProgress) =>
	isClosed
		? {
				reasonCode: 'startedBefore',
				reason:
					"The dispatch was already started without this recipient, so the recipient can't be added",
			}
		: {
				reasonCode: 'refusedByService',
				reason:
					'The service rejected this recipient: no sender name matches the operator, or the number is blacklisted',
			};

const countRejects = ({ accepted, rejected, progress }: Placing) => ({
	...countByReason(rejected),
	refusedByService: 0,
	[absence(progress).reasonCode]: accepted.length - progress.placed.accepted,
});

interface Outcome {
	/** Whether the dispatch was started. */
	started?: boolean;
	notStartedBecause?: string;
	/** By `messageUuid`, if the node waited for delivery. */
	finals?: ReadonlyMap<string, FinalState>;
	senderNames?: ReadonlyMap<number, string>;
	/** The service's unchanged responses, for the output option Raw. */
	replies?: readonly unknown[];
}

/** Without a final state, all that is known is that the service accepted the message. */
const rowOutcome = (final: FinalState | undefined, { started }: Outcome): string => {
	if (final !== undefined) return outcomeByStatus(final.status);
	if (started === undefined) return 'created';
	return started ? 'accepted' : 'notStarted';
};

const reasonOf = (
	outcome: string,
	final: FinalState | undefined,
	{ notStartedBecause = '' }: Outcome,
) =>
	outcome === 'failed'
		? (final?.reason ?? 'Not delivered. The service gave no reason.')
		: notStartedBecause;

/** The result for every recipient, accepted or not. */
const statesOf = (
	{ accepted, rejected, progress }: Placing,
	outcome: Outcome,
): RecipientState[] => {
	const { dispatchId = null, placed } = progress;
	const { finals, senderNames } = outcome;
	return [
		...Array.from(accepted, ({ itemIndex, position, destination, text = '' }, index) => {
			const message = placed.at(index);
			const shared = { dispatchId, destination, text };
			if (message === undefined) {
				const columns = { ...shared, outcome: 'notSent', ...absence(progress) };
				return { itemIndex, position, columns };
			}
			const { messageUuid, parts, senderId = 0 } = message;
			const final = finals?.get(messageUuid);
			const became = rowOutcome(final, outcome);
			const columns = {
				...shared,
				accepted: true,
				outcome: became,
				reason: reasonOf(became, final, outcome),
				status: final?.status ?? '',
				messageUuid,
				parts,
				price: final?.price ?? null,
				sender: senderNames?.get(senderId) ?? '',
			};
			return { itemIndex, position, columns };
		}),
		...rejected.map((one) => toRejectedState(one, dispatchId)),
	];
};

/** The output items for one dispatch. */
export const toDispatchResult = (
	placing: Placing,
	summary: IDataObject,
	outcome: Outcome = {},
): GroupResult => {
	const { accepted, rejected, progress, itemIndexes, choices } = placing;
	const success = progress.placed.accepted;
	const refused = accepted.length - success;
	const { isClosed, dispatchId } = progress;
	const pairedItem = itemIndexes.map((item) => ({ item }));
	if (choices.output === 'raw') {
		const { replies = [] } = outcome;
		const answers = replies.length === 0 ? [{ dispatchId, reply: null }] : replies;
		const items = answers.map((reply) => ({ json: toItem(reply), pairedItem }));
		return { items, refused, isClosed, dispatchId };
	}
	if (choices.output === 'recipients') {
		const items = toRecipientItems(statesOf(placing, outcome), placing.ownFields);
		return { items, refused, isClosed, dispatchId };
	}
	const json = {
		dispatchId,
		...summary,
		items: itemIndexes.length,
		total: accepted.length + rejected.length,
		success,
		failed: accepted.length + rejected.length - success,
		rejected: countRejects(placing),
	};
	return { items: [{ json, pairedItem }], refused, isClosed, dispatchId };
};
