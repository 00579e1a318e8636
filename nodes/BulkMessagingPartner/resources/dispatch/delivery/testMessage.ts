import type { INodeExecutionData } from 'n8n-workflow';
import { addHint, howMany } from '../../../../../core/engine/hints';
import type { Run } from '../../../../../core/engine/operation';
import type { HeadValues } from '../params/head';
import type { RecipientGroup } from '../plan/groups';
import { testNumberOf } from '../plan/testNumber';
import { deliverGroup, type PreparedDispatch } from './createDispatch';
import { startWithin, type StartLimits } from './startWithin';

/**
 * The first recipient's text to one number, in a dispatch of its own that starts at once. Nobody else gets anything, and the
 * dispatch it is a test of isn't created.
 */
export const sendTest = async (
	run: Run<unknown>,
	group: RecipientGroup<HeadValues>,
	{ head, secrets }: PreparedDispatch,
	limits: StartLimits,
): Promise<{ items: INodeExecutionData[]; refused: number }> => {
	const { accepted, itemIndexes, choices } = group;
	const destination = testNumberOf(group.head.testTo, choices.defaultCountry) ?? '';
	const first = accepted.at(0);
	const text = first?.text ?? head.text;
	const recipient = {
		itemIndex: first?.itemIndex ?? 0,
		position: 0,
		destination,
		recipient: { destination, customText: text },
		text,
	};
	const name = `[Test] ${head.name} ${new Date().toISOString()}`;
	// Its time windows are for everybody, not for whoever waits for the test.
	const testHead = { ...head, name, schedule: undefined };
	const delivery = await deliverGroup(
		run,
		{ ...group, accepted: [recipient] },
		{ secrets, companyId: head.companyId },
		async (one, begun) =>
			begun?.dispatchId === undefined
				? await one.create(testHead, [recipient], begun?.doubt)
				: await one.continueWith(begun.dispatchId, [recipient]),
	);
	const started = await startWithin(run.context, delivery, {
		...limits,
		accepted: delivery.acceptedCount,
		share: delivery.acceptedCount,
	});
	addHint(
		run.context,
		`This was a test: only ${destination} gets it. Clear 'Send a Test To' to send to ${howMany(accepted.length, 'recipient')}.`,
	);
	const json = {
		isTest: true,
		dispatchId: delivery.progress.dispatchId,
		...(await delivery.summary()),
		...started,
		destination,
		text,
		wouldReach: accepted.length,
	};
	return { items: [{ json, pairedItem: itemIndexes.map((item) => ({ item })) }], refused: 0 };
};
