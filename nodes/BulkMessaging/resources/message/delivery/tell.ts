import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { addHint } from '../../../../../core/engine/hints';
import type { Run } from '../../../../../core/engine/operation';
import { connect } from '../../../../../core/transport/connection';
import { toShowableData } from '../../../../../core/transport/redact';
import { failureOf, stopOf, type FailedMessage, type Told } from './failures';
import type { Outcomes, Outgoing, Sent } from './outgoing';
import { hintAtRepeats } from './repeats';

const isFailed = (one: Told): one is FailedMessage => one.outcome?.is !== 'done';

/** The fields of every accepted message's item: they say whether the service's response named the message. */
export const confirmation = ({ unconfirmed }: Sent): IDataObject =>
	unconfirmed === undefined
		? { accepted: true, confirmed: true }
		: // A response is JSON or text.
			{ accepted: true, confirmed: false, answer: unconfirmed.answer as IDataObject };

const hintAtUnmentioned = ({ context }: Run<unknown>, sent: readonly Sent[], total: number) => {
	const count = sent.filter(({ unconfirmed }) => unconfirmed !== undefined).length;
	if (count === 0) return;
	addHint(
		context,
		`The service accepted the request, but its response doesn't mention ${count} of ${total} messages. The node doesn't send them again. Check them in your account on the provider's website before you send anything again.`,
	);
};

/**
 * Reports what became of the messages. Failed ones become error items in `output`, or stop the node. Returns the accepted ones,
 * whose items the operation makes.
 */
export const tell = async (
	run: Run<unknown>,
	entries: readonly Outgoing[],
	outcomes: Outcomes,
	ownSecrets: readonly string[],
	output: Array<INodeExecutionData | undefined>,
): Promise<Sent[]> => {
	const { context } = run;
	const node = context.getNode();
	const all = entries.map((entry): Told => ({ entry, outcome: outcomes.get(entry) }));
	const failed = all.filter(isFailed);
	const secrets = [...(await connect(context, 'messaging')).secrets(), ...ownSecrets];
	const isCancelled = context.getExecutionCancelSignal()?.aborted === true;
	if (failed.length > 0 && (isCancelled || !context.continueOnFail())) {
		throw stopOf(node, all, failed, { secrets, isCancelled });
	}
	for (const one of failed) {
		const { itemIndex } = one.entry;
		output[itemIndex] = run.failed(itemIndex, failureOf(node, one, secrets));
	}
	const sent = all.flatMap(({ entry, outcome }): Sent[] => {
		if (outcome?.is !== 'done') return [];
		const { unconfirmed, ...message } = outcome.value;
		if (unconfirmed === undefined) return [{ entry, ...message }];
		const answer = toShowableData(unconfirmed.answer, secrets);
		return [{ entry, ...message, unconfirmed: { answer } }];
	});
	hintAtUnmentioned(run, sent, all.length);
	hintAtRepeats(context, sent);
	return sent;
};
