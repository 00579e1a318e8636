import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { ledgerOf } from '../../../../../core/engine/ledger';
import type { Outcome } from '../../../../../core/transport/outcome';
import type { Whole } from './build';
import type { Stop } from './job';
import type { Moved } from './start';

/** A dispatch that this run has tried to start. It is never created again, whatever the result was. */
export interface TriedStart {
	itemIndexes: readonly number[];
	whole: Whole;
	started: Outcome<Moved>;
}

/** What this run has done with dispatches, in all tries of 'Retry On Fail'. */
interface Tried {
	/** All dispatches that this run has created. */
	own: Set<number>;
	starts: TriedStart[];
	/** Dispatches of this run that another run or a person has started. Their items are never sent again either. */
	takenOver: Array<{ itemIndexes: readonly number[]; stopped: Stop }>;
}

export const triedOf = (context: IExecuteFunctions): Tried =>
	ledgerOf(context).record(
		'dispatches',
		(): Tried => ({ own: new Set(), starts: [], takenOver: [] }),
	);

/** Why these items must not be sent again, if another run or a person has started a dispatch with them. */
export const takenOverBefore = (
	context: IExecuteFunctions,
	itemIndexes: readonly number[],
): Stop | undefined =>
	triedOf(context).takenOver.find((one) =>
		one.itemIndexes.some((index) => itemIndexes.includes(index)),
	)?.stopped;

/** The estimated price of everything that this run has started, or may have started, besides one dispatch. */
export const spentIn = ({ starts }: Tried, besides?: number): number =>
	starts.reduce(
		(sum, { whole, started }) =>
			whole.id === besides || (started.is !== 'done' && started.is !== 'unknown')
				? sum
				: sum + (whole.state.estimate ?? 0),
		0,
	);

/**
 * The start that an earlier try made for these items. They aren't recognized by name or content, because an expression may give
 * a different value in each try. If the items are grouped differently now, nothing may be sent.
 */
export const earlierStart = (
	context: IExecuteFunctions,
	itemIndexes: readonly number[],
): TriedStart | undefined => {
	const items = new Set(itemIndexes);
	const tried = triedOf(context).starts.find((one) =>
		one.itemIndexes.some((index) => items.has(index)),
	);
	if (tried === undefined || tried.itemIndexes.join() === itemIndexes.join()) return tried;
	throw new NodeOperationError(
		context.getNode(),
		'The items were grouped into different dispatches on retry',
		{
			description:
				"Nothing was sent in this attempt, so nobody gets a message twice. An expression gives a different value in each attempt: use one that stays the same, or turn off 'Retry On Fail'.",
			itemIndex: itemIndexes[0],
		},
	);
};
