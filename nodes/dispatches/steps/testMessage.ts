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
import { byFirstItem, prepareAll } from './inTurn';
import { endRun, launchDispatch } from './launch';
import { limitsOf, rejectedAll } from './limits';
import { stateSummary } from '../tell/result';
import type { Checked, Job } from '../job';
import { journalOf, mayBeSent } from '../journal';
import { shownTime } from '../words';

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

/** The dispatch of a test: it has one recipient, and starts right away. */
const toTestJob = ({ job }: Checked, destination: string): Job => {
	// On a retry, this is the test's own recipient and text.
	const text = job.recipients.at(0)?.text ?? job.head.text;
	const [itemIndex = 0] = job.itemIndexes;
	const recipient = {
		itemIndex,
		position: 0,
		destination,
		recipient: { destination, customText: text },
		text,
	};
	const base = job.head.name.replace(/^\[Test\] /, '');
	const time = shownTime(job.context, Date.now()) ?? '';
	// The schedule is for the real dispatch; the test is sent right away.
	const head = { ...job.head, name: `[Test] ${base}, ${time}`, schedule: undefined };
	return { ...job, head, recipients: [recipient] };
};

const sendOneTest = async (
	run: Run<unknown>,
	plans: ReadonlyArray<DispatchPlan<StartValues>>,
	[plan, checked]: [DispatchPlan<StartValues>, Checked],
	destination: string,
): Promise<INodeExecutionData> => {
	const { context } = run;
	const { itemIndexes } = plan;
	const job = toTestJob(checked, destination);
	const wouldReach = plans.reduce((sum, { accepted }) => sum + accepted.length, 0);
	// The minimums are for the real recipients.
	const { priceLimit, priceCurrency } = limitsOf(plan.head);
	const limits = { priceLimit, priceCurrency };
	try {
		const launched = await launchDispatch(context, { ...checked, job }, limits, () => 1);
		const { made, started } = launched;
		const { name, ...summary } = stateSummary(made.state, made.currency);
		const json = {
			destination,
			outcome: started ? 'accepted' : 'notStarted',
			text: job.recipients[0]?.text,
			name,
			...summary,
			started,
			...(launched.started ? { status: launched.status } : { reason: launched.notStartedBecause }),
			isTest: true,
			wouldReach,
			dispatchId: made.id,
		};
		addHint(
			context,
			`This was a test: only ${destination} gets the message. Its dispatch is called "${String(name ?? job.head.name)}". To send to your recipients, set 'Mode' to 'Send'.`,
		);
		return { json, pairedItem: itemIndexes.map((item) => ({ item })) };
	} catch (error) {
		const isRejected = error instanceof Error && error.message === rejectedAll;
		return run.failed(itemIndexes, isRejected ? testRejected(run, destination) : error);
	}
};

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
	try {
		const ready = await prepareAll(
			run,
			plans,
			output,
			async (plan) => await checkDispatch(context, plan, lists, 'test'),
		);
		// Only one test per run, in all its tries.
		const tried = journalOf(context).all.find(mayBeSent);
		const first = ready.find(
			([{ itemIndexes }]) => tried === undefined || tried.itemIndexes[0] === itemIndexes[0],
		);
		if (first !== undefined) output.push(await sendOneTest(run, plans, first, destination));
		return byFirstItem(output);
	} finally {
		await endRun(context);
	}
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
