import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { partner } from '../../../../../core/contract/partner';
import type { DispatchDelivery } from './delivery';
import { readState } from './replies';
import { addHint, howMany } from '../../../../../core/engine/hints';
import { perRun } from '../../../../../core/engine/perRun';
import { ServiceError } from '../../../../../core/transport/errors';
import {
	lookThenSend,
	UnconfirmedError,
	UnsettledError,
} from '../../../../../core/transport/lookThenSend';
import { list } from '../../../../../core/transport/list';
import { textIn } from '../../../../../core/transport/replyShape';
import { send } from '../../../../../core/transport/send';
import { whyNotStarted, withReason } from './refusal';
import { isReached, lookUpMove, startedStatuses } from './statuses';

interface Limits extends StartLimits {
	/** How many recipients the service accepted, and what share of the intended recipients that is (0 to 1). */
	accepted: number;
	share: number;
}

export interface StartLimits {
	whenPassed?: 'leave' | 'error';
	minimumAccepted?: number;
	minimumPeople?: number;
	/** `undefined` if the operation has no price limit. */
	priceLimit?: number;
	priceCurrency?: string;
	/** Whether the price limit applies to everything this run starts, or to each dispatch separately. */
	priceLimitScope?: 'run' | 'dispatch';
	stopIfStartFails: boolean;
	/** The company whose budget pays. */
	companyId: number;
}

/** The estimated prices of the dispatches that this run has started. By ID, so that a retry doesn't add one twice. */
const startedIn = perRun(() => new Map<number, number>());

const percent = (share: number) => `${Math.floor(share * 1000) / 10}%`;

/** Removes rounding noise such as 0.30000000000000004 from sums of prices. */
const amount = (value: number, currency = '') =>
	`${Math.round(value * 1e6) / 1e6} ${currency}`.trim();

const isLimit = (value: unknown): value is number =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** Why the dispatch must not start; `undefined` if it may. Unreadable values are an objection too. */
const objection = (
	{
		priceLimit,
		priceCurrency = '',
		priceLimitScope = 'run',
		minimumAccepted,
		minimumPeople = 1,
		accepted,
		share,
	}: Limits,
	{
		estimate,
		given,
		spent,
		currency,
	}: {
		estimate: number | undefined;
		given: unknown;
		spent: number;
		currency?: string;
	},
): string | undefined => {
	if (!isLimit(minimumPeople)) return "'Minimum Accepted (People)' isn't a number";
	if (accepted < minimumPeople) {
		return accepted === 0
			? 'The service rejected every recipient'
			: `The service accepted only ${howMany(accepted, 'recipient')}, but 'Minimum Accepted (People)' is ${minimumPeople}`;
	}
	if (estimate === undefined) {
		const found = given === undefined ? 'nothing' : JSON.stringify(given);
		return `The price estimate can't be read: the service sent ${found}`;
	}
	if (priceLimit !== undefined) {
		if (!isLimit(priceLimit)) return "'Price Limit' isn't a number";
		if (currency === undefined)
			return "The service doesn't report the currency of its price estimate";
		if (currency.toUpperCase() !== priceCurrency.trim().toUpperCase()) {
			return `The price estimate is in ${currency}, but 'Price Limit' is in ${priceCurrency}`;
		}
		const sum = priceLimitScope === 'run' ? spent + estimate : estimate;
		// Tolerates the rounding errors of adding decimals, which are far below any price.
		if (sum > priceLimit + 1e-9) {
			const before =
				sum > estimate ? ` (plus ${amount(spent, currency)} already started in this run)` : '';
			return `The price estimate is ${amount(estimate, currency)}${before}, but 'Price Limit' is ${amount(priceLimit, currency)}`;
		}
	}
	if (minimumAccepted === undefined) return undefined;
	if (!isLimit(minimumAccepted)) return "'Minimum Accepted (%)' isn't a number";
	return share * 100 >= minimumAccepted
		? undefined
		: `The service accepted only ${percent(share)} of the recipients, but 'Minimum Accepted (%)' is ${minimumAccepted}`;
};

const checkFirst = "Check it in your account on the provider's website before you run this again.";

const tryStop = async (context: IExecuteFunctions, id: number): Promise<string> => {
	const stopped = await send(context, partner.dispatchStop, { path: { id } }).then(
		(reply) => readState(reply).status === 'STOPPED',
		() => false,
	);
	return stopped
		? "The node stopped it, but some messages may already have been sent. Check it in your account on the provider's website."
		: "The node also couldn't confirm that it was stopped. Check it in your account on the provider's website.";
};

/** An error in a later step, with a text that says what was already done. */
export const failureAfter = (
	context: IExecuteFunctions,
	error: unknown,
	doneBefore: string,
): Error => {
	if (error instanceof ServiceError) return error.after(doneBefore);
	if (error instanceof UnconfirmedError || error instanceof UnsettledError) {
		return new NodeOperationError(context.getNode(), error.message, { description: doneBefore });
	}
	return error instanceof Error ? error : new Error(String(error));
};

/** The error if recipients should join a dispatch that was already started. */
export const nobodyCanJoin = (
	context: IExecuteFunctions,
	id: number,
	among: number,
): NodeOperationError =>
	new NodeOperationError(
		context.getNode(),
		`Dispatch ${id} was already started with ${among === 0 ? 'none' : `only ${among}`} of these recipients in it`,
		{
			description:
				"Recipients can't be added to a started dispatch, so nothing was sent in this run. To send to these recipients, change 'Dispatch Name'.",
		},
	);

/** Starts the dispatch. It is only considered started if the service confirms that, in its response or in a later lookup. */
const startDispatch = async (
	context: IExecuteFunctions,
	id: number,
	{ stopIfStartFails, companyId }: Limits,
	onReply: (reply: unknown) => void,
) => {
	/** Whether the last lookup showed the dispatch as not started. */
	let isIdle = false;
	try {
		await lookThenSend({
			attempt: async () => {
				isIdle = false;
				const reply: unknown = await send(context, partner.dispatchStart, { path: { id } });
				onReply(reply);
				if (!isReached(readState(reply).status, startedStatuses)) {
					throw new UnconfirmedError(
						`The service accepted the request to start dispatch ${id}, but doesn't show it as started`,
					);
				}
			},
			isThere: async () => {
				isIdle = false;
				const reached = await lookUpMove(context, id, startedStatuses);
				isIdle = reached === undefined;
				return !isIdle;
			},
			isProven: () => isIdle,
			cancelled: context.getExecutionCancelSignal(),
		});
	} catch (error) {
		if (error instanceof ServiceError && error.outcome !== 'unknown') {
			const reason = await withReason(context, error, {
				dispatchId: id,
				companyId,
				byStatus: whyNotStarted,
			});
			throw failureAfter(
				context,
				reason,
				`Dispatch ${id} exists but was not started, so its messages were not sent.`,
			);
		}
		if (isIdle && !(error instanceof UnconfirmedError)) {
			// The status may be out of date, so the dispatch may have started.
			throw failureAfter(
				context,
				error,
				`All recipients are in dispatch ${id}. It is not known whether it was started: the service still shows it as not started. Check it in your account on the provider's website. If it isn't started, use 'Start'.`,
			);
		}
		throw failureAfter(
			context,
			error,
			`It is not known whether dispatch ${id} was started. ${stopIfStartFails ? await tryStop(context, id) : checkFirst}`,
		);
	}
};

/** The currency of the account's tariffs, if they all use the same. A dispatch that was created earlier doesn't show its own. */
const accountCurrency = async (context: IExecuteFunctions): Promise<string | undefined> => {
	const tariffs = await list(context, partner.tariffList, {}).catch(() => []);
	const currencies = new Set(tariffs.map((tariff) => textIn(tariff, 'currency')));
	const [currency] = currencies;
	return currencies.size === 1 ? currency : undefined;
};

/** For a dispatch that was already started: an error unless enough of these recipients are in it. */
const checkReached = (context: IExecuteFunctions, id: number, limits: Limits): void => {
	const { accepted, share, minimumPeople = 1, minimumAccepted = 0, whenPassed } = limits;
	if (whenPassed === 'leave') return;
	if (accepted >= minimumPeople && share * 100 >= minimumAccepted) return;
	throw nobodyCanJoin(context, id, accepted);
};

/** Fields that are added to the dispatch's result. */
interface StartResult {
	started: boolean;
	startedBefore?: boolean;
	notStartedBecause?: string;
	status?: string;
}

/** Starts a dispatch unless a limit is exceeded. Returns the fields for the result. */
export const startWithin = async (
	context: IExecuteFunctions,
	delivery: DispatchDelivery,
	limits: Limits,
): Promise<StartResult> => {
	const { dispatchId: id, currency: ownCurrency, others = 0 } = delivery.progress;
	// Can't happen: without recipients, an earlier check fails.
	if (id === undefined) throw new UnsettledError('There is no dispatch to start');
	const { priceEstimate, givenEstimate, status } = await delivery
		.current()
		.catch((error: unknown) => {
			throw failureAfter(
				context,
				error,
				`All recipients are in dispatch ${id}, but it was not started. Start it with 'Start'.`,
			);
		});
	const started = startedIn(context);
	const currency = ownCurrency ?? (await accountCurrency(context));
	if (isReached(status, startedStatuses)) {
		checkReached(context, id, limits);
		addHint(context, `Dispatch ${id} was already started, so it was not started again.`);
		return { started: true, startedBefore: true };
	}
	let spent = 0;
	// Leaves out this dispatch, which an earlier attempt may have recorded: it is paid once.
	for (const [other, cost] of started) if (other !== id) spent += cost;
	const isReady = status === 'CREATED';
	const unready =
		status === 'STOPPED'
			? `Dispatch ${id} was already started and stopped`
			: `The service doesn't report that dispatch ${id} is ready to start`;
	const reason = isReady
		? objection(limits, { estimate: priceEstimate, given: givenEstimate, spent, currency })
		: unready;
	if (reason === undefined) {
		if (others > 0) {
			addHint(
				context,
				`${howMany(others, 'other recipient')} ${others === 1 ? 'was' : 'were'} already in dispatch ${id} before this run and ${others === 1 ? 'gets' : 'get'} the message too.`,
			);
		}
		// Recorded before the request, so that a dispatch that may have started is included.
		started.set(id, priceEstimate ?? 0);
		delivery.changed();
		const onReply = (reply: unknown) => delivery.keep(reply);
		await startDispatch(context, id, limits, onReply).catch((error: unknown) => {
			if (error instanceof ServiceError && error.outcome !== 'unknown') started.delete(id);
			throw error;
		});
		return { started: true, status: 'STARTED' };
	}
	if (limits.whenPassed === 'leave') {
		addHint(context, `Dispatch ${id} was not started. ${reason}.`);
		return { started: false, notStartedBecause: reason };
	}
	const advice = limits.accepted === 0 ? '' : " To send it anyway, use 'Start' with this dispatch.";
	throw new NodeOperationError(context.getNode(), reason, {
		description: isReady
			? `Dispatch ${id} exists but was not started, so its messages were not sent.${advice}`
			: `Dispatch ${id} exists, but this run didn't start it. Some of its messages may already have been sent: check it in your account on the provider's website. To send a new one, change 'Dispatch Name'.`,
	});
};
