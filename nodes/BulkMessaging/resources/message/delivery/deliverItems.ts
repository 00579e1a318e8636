import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Run } from '../../../../../core/engine/operation';
import { deliverMessages, type MessageDeliveryOptions } from './deliver';
import type { Fate, Outgoing } from './fate';
import { connect } from '../../../../../core/transport/connection';
import { toShowableData } from '../../../../../core/transport/redact';
import { hintAtRepeats } from './repeats';
import { failureOf, stopOf, type FailedMessage, type Settled } from './failures';
import { addHint } from '../../../../../core/engine/hints';

const isFailed = (settled: Settled): settled is FailedMessage => settled.fate.kind !== 'accepted';

export type AcceptedFate = Extract<Fate, { kind: 'accepted' }>;

/** What every item says about a message that was accepted: whether the service's answer named it. */
export const confirmation = ({ unconfirmed }: AcceptedFate): IDataObject =>
	unconfirmed === undefined
		? { accepted: true, confirmed: true }
		: // It came as JSON, or as text.
			{ accepted: true, confirmed: false, answer: unconfirmed.answer as IDataObject };

const tellUnconfirmed = ({ context }: Run<unknown>, count: number, total: number): void => {
	if (count === 0) return;
	addHint(
		context,
		`The service accepted the request, but its answer doesn't name ${count} of ${total} messages. They are not sent again. Check them in your account on the provider's website before you send anything again.`,
	);
};

/** Sends, and puts what became of each entry to its item; without continueOnFail any failure stops it. */
export const deliverItems = async (
	output: Array<INodeExecutionData | undefined>,
	run: Run<unknown>,
	entries: readonly Outgoing[],
	options: Omit<MessageDeliveryOptions, 'goOn'>,
	toJson: (entry: Outgoing, fate: AcceptedFate) => IDataObject,
): Promise<INodeExecutionData[]> => {
	const { context } = run;
	const goOn = context.continueOnFail();
	const fates = await deliverMessages(context, entries, { ...options, goOn });
	const all = entries.map((entry, index): Settled => ({ entry, fate: fates[index] as Fate }));
	const [first, ...others] = all.filter(isFailed);
	const secrets = [...(await connect(context, 'messaging')).secrets(), ...options.secrets];
	const isCancelled = context.getExecutionCancelSignal()?.aborted === true;
	if (first !== undefined && (isCancelled || !goOn)) {
		throw stopOf(context.getNode(), all, [first, ...others], { secrets, isCancelled });
	}
	const unconfirmed = fates.filter((fate) => fate.kind === 'accepted' && fate.unconfirmed);
	tellUnconfirmed(run, unconfirmed.length, all.length);
	hintAtRepeats(context, entries, fates);
	for (const settled of all) {
		if (settled.fate.kind === 'accepted' && settled.fate.unconfirmed) {
			const answer = toShowableData(settled.fate.unconfirmed.answer, secrets);
			settled.fate.unconfirmed = { answer };
		}
		const { itemIndex } = settled.entry;
		output[itemIndex] = isFailed(settled)
			? run.failed(itemIndex, failureOf(context.getNode(), settled, secrets))
			: {
					json: toJson(settled.entry, settled.fate as AcceptedFate),
					pairedItem: { item: itemIndex },
				};
	}
	return output.filter((item) => item !== undefined);
};
