import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { addHint, howMany } from '../../../../../core/engine/hints';
import { rejectReasons, type RejectedRecipient, type RejectReason } from './recipient';
import type { Sorted } from './sorter';

export const countByReason = (
	rejected: readonly RejectedRecipient[],
): Record<RejectReason, number> => {
	const counts = { unreadableNumber: 0, duplicate: 0, missingValue: 0, emptyText: 0 };
	for (const { reason } of rejected) counts[reason]++;
	return counts;
};

const inWords: Record<RejectReason, (count: number) => string> = {
	unreadableNumber: (count) => howMany(count, 'unreadable phone number'),
	duplicate: (count) => howMany(count, 'duplicate phone number'),
	missingValue: (count) => `${howMany(count, 'recipient')} without a value for a placeholder`,
	emptyText: (count) => `${howMany(count, 'recipient')} with an empty text`,
};

const describeCounts = (counts: Record<RejectReason, number>): string[] =>
	rejectReasons.flatMap((reason) => (counts[reason] > 0 ? [inWords[reason](counts[reason])] : []));

/** A dispatch without recipients is always an error: if the node succeeded, nobody would notice. */
export const nobodyLeft = (
	context: IExecuteFunctions,
	{ rejected }: Sorted,
	itemIndexes: readonly number[],
): NodeOperationError => {
	const [first] = rejected;
	const example =
		first === undefined ? '' : ` The first one is item ${first.itemIndex + 1}: ${first.detail}.`;
	const reasons = describeCounts(countByReason(rejected)).join(', ');
	const title = `There are no valid recipients${reasons && `: ${reasons}`}`;
	return new NodeOperationError(context.getNode(), title, {
		description: `Nothing was sent.${example} Check the recipients, for example whether 'Phone Number' uses the right field.`,
		itemIndex: first?.itemIndex ?? itemIndexes[0],
	});
};

/** A dispatch and what became of it. */
interface LossyDispatch {
	plan: Sorted & { choices: { output: string }; source: string };
	/** How many of the accepted recipients the service rejected. */
	refused: number;
}

const sum = (counts: number[]): number => counts.reduce((total, one) => total + one, 0);

/** Hints at recipients who don't get a message, over all dispatches of a run. */
export const hintAtLosses = (
	context: IExecuteFunctions,
	told: readonly LossyDispatch[],
	/** Also hints at several dispatches, which the user may not have intended. */
	makesDispatches: boolean,
): void => {
	const plans = told.map(({ plan }) => plan);
	const counts = countByReason(plans.flatMap(({ rejected }) => rejected));
	const refused = sum(told.map((one) => one.refused));
	const recipients = sum(plans.map(({ accepted, rejected }) => accepted.length + rejected.length));
	const isListed = plans.some(({ source }) => source !== 'items');
	const reasons = describeCounts(counts);
	if (refused > 0) reasons.push(`${howMany(refused, 'recipient')} rejected by the service`);
	if (reasons.length > 0) {
		const lost = refused + sum(Object.values(counts));
		const where = plans.every(({ choices }) => choices.output === 'recipients')
			? 'The column "reason" shows who and why.'
			: "Set 'Output' to 'Recipients' to see who and why.";
		addHint(
			context,
			`${lost.toLocaleString('en')} of ${howMany(recipients, 'recipient')} won't get the message: ${reasons.join(', ')}. ${where}`,
		);
	}
	const numbers = new Set(plans.flatMap(({ accepted }) => accepted.map((one) => one.destination)));
	const isOneNumber = numbers.size === 1 && counts.duplicate === recipients - plans.length;
	if (isOneNumber && recipients > 1 && !isListed) {
		addHint(
			context,
			`All ${howMany(recipients, 'item')} have the same phone number. Check whether 'Phone Number' should be an expression such as {{ $json.phone }}.`,
		);
	}
	if (makesDispatches && plans.length > 1) {
		addHint(
			context,
			`This run made ${howMany(plans.length, 'dispatch', 'dispatches')}. If you wanted only one, ${isListed ? "turn on 'Execute Once' in the node's settings" : 'check what differs between the items: those with the same company, channel and name share a dispatch'}.`,
		);
	}
};
