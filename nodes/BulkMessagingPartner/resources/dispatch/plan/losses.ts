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

type LossyGroup = Sorted & { choices: { output: string }; source: string };

/** Counts the recipients who don't get a message, over all dispatches of a run. */
export class Losses {
	private readonly counts = countByReason([]);

	private refused = 0;

	private isListed = false;

	private recipients = 0;

	/** The first phone number, to detect that all recipients have the same one. */
	private onlyNumber: string | undefined;

	private isOneNumber = true;

	private dispatches = 0;

	/** Whether every dispatch outputs its recipients. Then the hint needn't say how to see them. */
	private isShown = true;

	/** `refused`: how many of the accepted recipients the service rejected. */
	add({ accepted, rejected, choices, source }: LossyGroup, { refused }: { refused: number }): void {
		this.isListed ||= source !== 'items';
		this.isShown &&= choices.output === 'recipients';
		const counts = countByReason(rejected);
		for (const reason of rejectReasons) this.counts[reason] += counts[reason];
		this.refused += refused;
		this.recipients += accepted.length + rejected.length;
		const number = accepted.at(0)?.destination;
		this.onlyNumber ??= number;
		const isSame = accepted.length === 1 && counts.duplicate === rejected.length;
		this.isOneNumber &&= isSame && number === this.onlyNumber;
		this.dispatches++;
	}

	/** `makesDispatches`: adds a hint about several dispatches, which the user may not have intended. */
	hint(context: IExecuteFunctions, makesDispatches: boolean): void {
		const { counts, refused, recipients, isOneNumber, dispatches, isListed } = this;
		const reasons = describeCounts(counts);
		if (refused > 0) reasons.push(`${howMany(refused, 'recipient')} rejected by the service`);
		const lost = refused + rejectReasons.reduce((sum, reason) => sum + counts[reason], 0);
		if (lost > 0) {
			const where = this.isShown
				? 'The column "reason" shows who and why.'
				: "Set 'Output' to 'Recipients' to see who and why.";
			addHint(
				context,
				`${lost.toLocaleString('en')} of ${howMany(recipients, 'recipient')} won't get the message: ${reasons.join(', ')}. ${where}`,
			);
		}
		if (isOneNumber && recipients > 1 && !isListed) {
			addHint(
				context,
				`All ${howMany(recipients, 'item')} have the same phone number. Check whether 'Phone Number' should be an expression such as {{ $json.phone }}.`,
			);
		}
		if (makesDispatches && dispatches > 1) {
			addHint(
				context,
				`This run made ${howMany(dispatches, 'dispatch', 'dispatches')}. If you wanted only one, ${isListed ? "turn on 'Execute Once' in the node's settings" : 'check what differs between the items: those with the same company, channel and name share a dispatch'}.`,
			);
		}
	}
}
