import type { INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { addHint } from '../../../core/engine/hints';
import type { Run } from '../../../core/engine/operation';
import { UnfitValueError, valueRequired } from '../../../core/engine/errors';
import { toDigits } from '../../../core/recipients/phone';
import type { Param } from '../../../core/engine/params';
import type { StartValues } from '../params/head';
import { countryReader } from '../plan/rows';
import type { DispatchPlan } from '../plan/plan';
import { checkDispatch, companyLists } from './check';
import { overlap, triedOf } from './job';
import { byFirstItem, prepareAll } from './inTurn';
import { launchDispatch } from './launch';
import { limitsOf, rejectedAll } from './start';
import { stateSummary } from '../tell/result';

export const testParam = {
	displayName: 'Test Number',
	name: 'testNumber',
	type: 'string',
	noDataExpression: true,
	default: '',
	required: true,
	placeholder: 'e.g. +7 912 345-67-89',
	displayOptions: { show: { mode: ['test'] } },
	description: 'Your own phone number. Nobody else gets a message.',
} as const satisfies Param;

/**
 * Sends the first recipient's text to one number, in a separate dispatch that starts right away. Only one test per run, even if
 * the run would create several dispatches; none of those is created.
 */
export const sendTest = async (
	run: Run<unknown>,
	plans: ReadonlyArray<DispatchPlan<StartValues>>,
	output: INodeExecutionData[],
	destination: string,
): Promise<INodeExecutionData[]> => {
	const { context } = run;
	const lists = companyLists(context);
	const ready = await prepareAll(
		run,
		plans,
		output,
		async (plan) => await checkDispatch(context, plan, lists, true),
	);
	// Only one test per run, in all its tries.
	const [tried] = triedOf(context).starts;
	const first = ready.find(
		([plan]) => tried === undefined || overlap(plan.itemIndexes, tried.itemIndexes),
	);
	if (first === undefined) return output;
	const [plan, checked] = first;
	const { job } = checked;
	const meant = plans.reduce((sum, { accepted }) => sum + accepted.length, 0);
	// On a retry, these are the test's own recipient and text.
	const text = job.recipients.at(0)?.text ?? job.head.text;
	const recipient = {
		itemIndex: plan.itemIndexes[0] ?? 0,
		position: 0,
		destination,
		recipient: { destination, customText: text },
		text,
	};
	// The schedule is for the real dispatch; the test is sent right away.
	const name = `[Test] ${job.head.name} ${new Date().toISOString()}`;
	const head = { ...job.head, name, schedule: undefined };
	const testJob = { ...job, head, recipients: [recipient] };
	const { itemIndexes } = plan;
	// The minimums are for the real recipients.
	const { priceLimit, priceCurrency } = limitsOf(plan.head);
	try {
		const launched = await launchDispatch(
			context,
			{ ...checked, job: testJob },
			itemIndexes,
			{ priceLimit, priceCurrency },
			() => 1,
		);
		const { whole, started } = launched;
		const json = {
			destination,
			outcome: started ? 'accepted' : 'notStarted',
			text,
			...stateSummary(whole.state, whole.currency),
			started,
			...(launched.started ? { status: launched.status } : { reason: launched.notStartedBecause }),
			isTest: true,
			wouldReach: meant,
			dispatchId: whole.id,
		};
		output.push({ json, pairedItem: itemIndexes.map((item) => ({ item })) });
		addHint(
			context,
			// On a retry, the dispatch of an earlier try may have been started.
			`This was a test: only ${destination} gets the message. Its dispatch is called "${whole.state.name ?? name}". To send to your recipients, set 'Mode' to 'Send'.`,
		);
	} catch (error) {
		const isRejected = error instanceof Error && error.message === rejectedAll;
		output.push(run.failed(itemIndexes, isRejected ? testRejected(run, destination) : error));
	}
	return byFirstItem(output);
};

const testRejected = ({ context }: Run<unknown>, destination: string) =>
	new NodeOperationError(context.getNode(), `The service rejected the test number ${destination}`, {
		description:
			"Nobody got a message. No sender name matches this number's operator, or the number is blacklisted. Enter another number in 'Test Number', or check the sender names.",
	});

/**
 * The only number that gets the test, as digits. It applies to the whole run and can't be an expression: an expression that is
 * empty for some items would send to the real recipients.
 */
export const readTestNumber = (run: Run<unknown>): string => {
	const { displayName } = testParam;
	const given = String(run.readerOf(testParam).at(0) ?? '').trim();
	if (given === '') throw new UnfitValueError(displayName, valueRequired);
	if (given.includes('{')) {
		throw new UnfitValueError(
			displayName,
			'needs a phone number, not an expression: each run sends one test to one number',
		);
	}
	const { digits, reason } = toDigits(given, countryReader(run.readerOf)(0));
	if (digits !== undefined) return digits;
	throw new UnfitValueError(displayName, `${JSON.stringify(given)} ${reason}`);
};
