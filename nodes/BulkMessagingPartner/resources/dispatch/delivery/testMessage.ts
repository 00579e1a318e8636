import type { INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { addHint, howMany } from '../../../../../core/engine/hints';
import type { Run } from '../../../../../core/engine/operation';
import type { Param } from '../../../../../core/engine/params';
import type { HeadValues } from '../params/head';
import { forEachGroup, type HeadKind, type HeadOf, type RecipientGroup } from '../plan/groups';
import { deliverGroup, prepareDispatch, type PreparedDispatch } from './createDispatch';
import { startWithin, type StartLimits } from './startWithin';

type TestLimits = Omit<StartLimits, 'companyId'>;

const deliverTest = async (
	run: Run<unknown>,
	group: RecipientGroup<HeadValues>,
	{ head, secrets }: PreparedDispatch,
	destination: string,
	limits: TestLimits,
): Promise<INodeExecutionData> => {
	const { accepted, itemIndexes } = group;
	const { companyId } = head;
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
	// The schedule is for the real dispatch; the test is sent right away.
	const testHead = { ...head, name, schedule: undefined };
	const delivery = await deliverGroup(
		run,
		{ ...group, accepted: [recipient] },
		{ secrets, companyId },
		async (one, begun) =>
			begun?.dispatchId === undefined
				? await one.create(testHead, [recipient], begun?.doubt)
				: await one.continueWith(begun.dispatchId, [recipient]),
	);
	if (delivery.acceptedCount === 0) {
		throw new NodeOperationError(
			run.context.getNode(),
			`The service rejected the test number ${destination}`,
			{
				description:
					"Nobody got a message. No sender name matches this number's operator, or the number is blacklisted. Enter another number in 'Send a Test To', or check the sender names.",
			},
		);
	}
	const started = await startWithin(run.context, delivery, {
		...limits,
		companyId,
		accepted: delivery.acceptedCount,
		share: 1,
	});
	const json = {
		isTest: true,
		dispatchId: delivery.progress.dispatchId,
		...(await delivery.summary()),
		...started,
		destination,
		text,
		wouldReach: accepted.length,
	};
	return { json, pairedItem: itemIndexes.map((item) => ({ item })) };
};

/**
 * Sends the first recipient's text to one number, in a separate dispatch that starts right away. Only one test per run, even if
 * the run would create several dispatches; none of those is created.
 */
export const sendTest = async <Ps extends readonly Param[]>(
	run: Run<unknown>,
	kind: HeadKind<Ps> & { params: Ps },
	destination: string,
	limitsOf: (head: HeadOf<Ps>) => TestLimits,
): Promise<INodeExecutionData[]> => {
	let meant = 0;
	let isSent = false;
	const items = await forEachGroup(run, kind, {
		prepare: async (group) =>
			// Every `HeadKind` passed here has at least the parameters of a new dispatch.
			await prepareDispatch(run, group as unknown as RecipientGroup<HeadValues>, { isTest: true }),
		work: async (group, prepared) => {
			meant += group.accepted.length;
			if (isSent) return { items: [], refused: 0 };
			isSent = true;
			const limits = limitsOf(group.head);
			const ofGroup = group as unknown as RecipientGroup<HeadValues>;
			return {
				items: [await deliverTest(run, ofGroup, prepared, destination, limits)],
				refused: 0,
			};
		},
	});
	addHint(
		run.context,
		`This was a test: only ${destination} gets the message. Clear 'Send a Test To' to send to ${howMany(meant, 'recipient')}.`,
	);
	return items;
};
