import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Run } from '../../../../../core/engine/operation';
import { deliverMessages, type MessageDeliveryOptions } from './deliver';
import type { Fate, Outgoing } from './fate';
import { connect } from '../../../../../core/transport/connection';
import { toShowableData } from '../../../../../core/transport/redact';
import { hintAtRepeats } from './repeats';
import { failureOf, stopOf, type EntryFate, type FailedMessage } from './failures';
import { addHint } from '../../../../../core/engine/hints';

const isFailed = (one: EntryFate): one is FailedMessage => one.fate.kind !== 'accepted';

export type AcceptedFate = Extract<Fate, { kind: 'accepted' }>;

/** The fields of every accepted message's item: they say whether the service's response named the message. */
export const confirmation = ({ unconfirmed }: AcceptedFate): IDataObject =>
	unconfirmed === undefined
		? { accepted: true, confirmed: true }
		: // A response is JSON or text.
			{ accepted: true, confirmed: false, answer: unconfirmed.answer as IDataObject };

const hintAtUnmentioned = ({ context }: Run<unknown>, count: number, total: number): void => {
	if (count === 0) return;
	addHint(
		context,
		`The service accepted the request, but its response doesn't mention ${count} of ${total} messages. The node doesn't send them again. Check them in your account on the provider's website before you send anything again.`,
	);
};

/** Sends the entries and writes each one's result to `output`. Without continueOnFail, any failure stops the node. */
export const deliverItems = async (
	output: Array<INodeExecutionData | undefined>,
	run: Run<unknown>,
	entries: readonly Outgoing[],
	options: Omit<MessageDeliveryOptions, 'continueAfterFailure'>,
	toJson: (entry: Outgoing, fate: AcceptedFate) => IDataObject,
): Promise<INodeExecutionData[]> => {
	const { context } = run;
	const continueAfterFailure = context.continueOnFail();
	const fates = await deliverMessages(context, entries, { ...options, continueAfterFailure });
	const all = entries.map((entry, index): EntryFate => ({ entry, fate: fates[index] as Fate }));
	const [first, ...others] = all.filter(isFailed);
	const secrets = [...(await connect(context, 'messaging')).secrets(), ...options.secrets];
	const isCancelled = context.getExecutionCancelSignal()?.aborted === true;
	if (first !== undefined && (isCancelled || !continueAfterFailure)) {
		throw stopOf(context.getNode(), all, [first, ...others], { secrets, isCancelled });
	}
	const unconfirmed = fates.filter((fate) => fate.kind === 'accepted' && fate.unconfirmed);
	hintAtUnmentioned(run, unconfirmed.length, all.length);
	hintAtRepeats(context, entries, fates);
	for (const one of all) {
		if (one.fate.kind === 'accepted' && one.fate.unconfirmed) {
			const answer = toShowableData(one.fate.unconfirmed.answer, secrets);
			one.fate.unconfirmed = { answer };
		}
		const { itemIndex } = one.entry;
		output[itemIndex] = isFailed(one)
			? run.failed(itemIndex, failureOf(context.getNode(), one, secrets))
			: {
					json: toJson(one.entry, one.fate as AcceptedFate),
					pairedItem: { item: itemIndex },
				};
	}
	return output.filter((item) => item !== undefined);
};
