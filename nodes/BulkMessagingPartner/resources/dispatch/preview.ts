import {
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	NodeOperationError,
} from 'n8n-workflow';
import type { ResultOf } from '../../../../core/contract/endpoint';
import { partner } from '../../../../core/contract/partner';
import { Brand } from '../../../../core/contract/values';
import { UnfitValueError } from '../../../../core/engine/errors';
import { addHint, howMany } from '../../../../core/engine/hints';
import { defineOperation, type Run } from '../../../../core/engine/operation';
import { countParts } from '../../../../core/recipients/parts';
import { list } from '../../../../core/transport/list';
import { z } from '../../../../vendor/zod';
import type { Checked } from '../../../dispatches/job';
import {
	newDispatch,
	previewParams,
	startedDispatch,
	toDraft,
	type StartValues,
} from '../../../dispatches/params/head';
import { planDispatches, requireFew, type DispatchPlan } from '../../../dispatches/plan/plan';
import type { AcceptedRecipient } from '../../../dispatches/plan/rows';
import { checkDispatch, companyLists } from '../../../dispatches/steps/check';
import { alignDispatches, byFirstItem, prepareAll } from '../../../dispatches/steps/inTurn';
import { endRun } from '../../../dispatches/steps/launch';
import {
	acceptedShare,
	limitObjection,
	limitsOf,
	peopleIn,
} from '../../../dispatches/steps/limits';
import { failureAfter } from '../../../dispatches/steps/refusal';
import { toSenders } from '../../../dispatches/steps/senders';
import { countPeople, hintAtLosses, type Counted } from '../../../dispatches/tell/people';
import { earlierWords, Summary, toHadState } from '../../../dispatches/tell/result';
import {
	toRecipientItems,
	toRejectedState,
	type RecipientState,
} from '../../../dispatches/tell/rows';
import { checkCallback } from '../../../shared/callback';
import { computeCost } from '../../shared/cost';

const Preview = z.object({
	summary: z.string(),
	wouldSend: z.boolean(),
	name: z.string(),
	recipients: z.number(),
	wouldReach: z.number(),
	failed: z.number(),
	leftOut: z.number(),
	hasItAlready: z.number(),
	notStarted: z.number(),
	duplicates: z.number(),
	price: z.object({
		from: z.number(),
		to: z.number(),
		currency: z.string(),
		limit: z.number(),
	}),
	parts: z.number(),
	texts: z.array(z.object({ destination: z.string(), text: z.string(), parts: z.number() })),
	reasons: Summary.shape.reasons.omit({ notDelivered: true }),
	notReached: Summary.shape.notReached,
});

type Tariffs = ResultOf<typeof partner.tariffList>;

/** Why Send would stop before the first request. */
const planObjection = (plan: DispatchPlan<StartValues>): string | undefined => {
	const { accepted, rejected, choices } = plan;
	const all = howMany(peopleIn(plan), 'person', 'people');
	if (accepted.length === 0) return 'Nobody in the list can get the message';
	const { missingValues = 'stop' } = choices.options;
	const missing = rejected.filter(({ reason }) => reason === 'missingValue').length;
	return missingValues === 'stop' && missing > 0
		? `${missing.toLocaleString('en')} of ${all} ${missing === 1 ? 'has' : 'have'} no value for a placeholder, and 'If a Placeholder Has No Value' is 'Stop Before Anything Is Sent'`
		: undefined;
};

/** Checks what Send checks before it creates anything. */
const checkAsSend = async (
	{ context }: Run<unknown>,
	plan: DispatchPlan<StartValues>,
	lists: ReturnType<typeof companyLists>,
): Promise<{ objection?: string } & Pick<Checked, 'brands'> & Partial<Checked>> => {
	const check = async () => {
		const { callbackUrl } = toDraft(plan.head).draft;
		checkCallback(context, callbackUrl, plan.head.options.callbackAuthentication);
		const checked = await checkDispatch(context, plan, lists, 'send');
		return { objection: planObjection(plan), ...checked };
	};
	return await check().catch(async (error: unknown) => {
		if (error instanceof UnfitValueError || error instanceof NodeOperationError) {
			// Who could get the message doesn't depend on the objection, for example to the name.
			const senders = await toSenders(context, plan.head, Date.now()).catch(() => undefined);
			return { objection: error.message, brands: senders?.brands ?? [] };
		}
		// A failed request doesn't say whether Send would stop.
		throw error;
	});
};

/** All operators of the interface are Russian. */
const russian: ReadonlySet<string> = new Set(Brand.options);

const areOperators = (brands: readonly string[]) =>
	brands.length > 0 && brands.every((brand) => russian.has(brand));

/** The accepted recipients. `unreachable` says why the service will reject one, as far as that can be known. */
const previewRecipients = (
	{ head }: DispatchPlan<StartValues>,
	accepted: readonly AcceptedRecipient[],
	brands: readonly string[],
) => {
	// Sender names for Russian operators only: no other number can be reached by SMS. Of other channels this isn't known.
	const isLimited = head.channelType === 'SMS' && areOperators(brands);
	return accepted.map(({ itemIndex, position, destination, text = '' }) => {
		const { parts } = countParts(text);
		const unreachable =
			isLimited && !destination.startsWith('79')
				? `The sender names are for ${brands.join(', ')}, so the service will probably reject this number`
				: undefined;
		return { itemIndex, position, destination, text, parts, unreachable };
	});
};

/** The lowest and the highest possible price by all tariffs, and of their packages. There is no price if they use several currencies. */
const estimatePrice = (tariffs: Tariffs, messages: number, parts: number) => {
	const volume = { messages, recipients: messages, parts };
	const estimates = tariffs.flatMap((tariff) => computeCost(tariff, volume) ?? []);
	const [{ currency } = { currency: '' }] = estimates;
	const rangeOf = (amounts: number[]) =>
		amounts.length === 0
			? undefined
			: { from: Math.min(...amounts), to: Math.max(...amounts), currency };
	const totals = estimates.flatMap(({ total, totalIfPerPart }) =>
		total === null ? [] : [total, totalIfPerPart ?? total],
	);
	const isMixed = estimates.some((one) => one.currency !== currency);
	return {
		price: isMixed ? undefined : rangeOf(totals),
		// With other tariffs among them, the contract probably isn't one with packages.
		packages: estimates.every(({ priceMauBatch }) => priceMauBatch)
			? rangeOf(estimates.flatMap(({ priceMauBatch }) => priceMauBatch ?? []))
			: undefined,
	};
};

/**
 * What Send would do with one dispatch, by the same rules. The lowest possible price counts against the limits, and an unknown
 * price isn't an objection here.
 */
const estimate = (
	plan: DispatchPlan<StartValues>,
	{
		objection,
		brands,
		budget,
		job,
		hasIt = [],
		sentBefore = [],
	}: Awaited<ReturnType<typeof checkAsSend>>,
	tariffs: Tariffs,
	earlier: string,
) => {
	const seen = previewRecipients(plan, job?.recipients ?? plan.accepted, brands);
	const reachable = seen.filter(({ unreachable }) => unreachable === undefined);
	const accepted = reachable.length;
	const parts = reachable.reduce((sum, one) => sum + one.parts, 0);
	const { price, packages } = estimatePrice(tariffs, accepted, parts);
	const limits = limitsOf(plan.head);
	const { priceLimit = 0, priceCurrency, minimumPeople = 1, minimumAccepted = 0 } = limits;
	// A number doesn't show its operator, so the service may reject any recipient.
	const isPartial = areOperators(brands) && Brand.options.some((brand) => !brands.includes(brand));
	const least = isPartial ? 0 : (price?.from ?? 0);
	const limit = `'Price Limit' (${priceLimit.toLocaleString('en')} ${priceCurrency})`;
	const isWithinLimit = (price?.to ?? 0) <= priceLimit + 1e-9;
	const monthly = `monthly budget (${budget?.value.toLocaleString('en')} ${budget?.currency})`;
	/** Whether an amount is certainly above the budget. Nothing may be spent if it is 0. */
	const isAboveBudget = (amount: number) =>
		budget !== undefined &&
		(budget.value === 0 || (budget.currency === price?.currency && amount > budget.value + 1e-9));
	const isNobodyNew = seen.length === 0 && hasIt.length > 0;
	const byLimits = () => {
		if (accepted === 0) return 'No sender name can reach any of the numbers';
		return limitObjection(price === undefined ? { ...limits, priceLimit: undefined } : limits, {
			accepted,
			share: acceptedShare({ ...plan, accepted: job?.recipients ?? plan.accepted }, accepted),
			estimate: least,
			givenEstimate: undefined,
			currency: price?.currency,
			spent: 0,
		});
	};
	const beyond = objection === undefined && !isNobodyNew ? byLimits() : undefined;
	const byBudget =
		!isNobodyNew && isAboveBudget(least)
			? `Company ${plan.head.companyId}'s ${monthly} doesn't cover this dispatch`
			: undefined;
	return {
		plan,
		hasIt,
		earlier,
		isNobodyNew,
		name: job?.head.name ?? plan.head.name,
		newest: sentBefore.at(-1)?.id,
		/** Why Send would stop. */
		objection: objection ?? beyond ?? byBudget,
		/** Whether Send would create the dispatch all the same. */
		isLeft:
			beyond !== undefined &&
			(limits.whenPassed === 'leave' || (accepted === 0 && hasIt.length > 0)),
		mayStop: limits.whenPassed === 'leave' ? 'may leave the dispatch unstarted' : 'may stop',
		/** Why Send may stop, although nothing is certain to stop it. */
		doubts: [
			...(isWithinLimit ? [] : [`the price is possibly above ${limit}`]),
			...(isAboveBudget(price?.to ?? 0)
				? [`the price is possibly above the company's ${monthly}`]
				: []),
			...(isPartial && (minimumPeople > 1 || minimumAccepted > 0)
				? ['the service may accept fewer recipients than the minimum']
				: []),
		],
		/** The operators that can be reached, if they aren't all. */
		onlyFor: isPartial ? brands.join(', ') : undefined,
		seen,
		reachable,
		parts,
		price,
		packages,
		/** For the verdict. */
		within: isWithinLimit ? `, within ${limit}` : '',
	};
};

type Forecast = ReturnType<typeof estimate>;

const shownPrice = (value: number) =>
	value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 });

const priceIn = ({ from, to, currency }: NonNullable<Forecast['price']>) =>
	`${shownPrice(from)}${from === to ? '' : ` to ${shownPrice(to)}`} ${currency}`;

/** For the result's `summary` and the hint. */
const verdict = (
	{ plan, objection, isLeft, mayStop, doubts, ...forecast }: Forecast,
	toSend: string,
): string => {
	const { onlyFor, reachable, price, packages, within, isNobodyNew, hasIt, earlier } = forecast;
	if (isLeft) return `Nothing was sent, and Send would send nothing. ${objection}.`;
	if (objection === undefined && isNobodyNew)
		return `Nothing was sent, and Send would send nothing new: ${howMany(hasIt.length, 'person has', 'people have')} it already, in ${earlier}.`;
	if (objection !== undefined) return `Nothing was sent, and Send would stop. ${objection}.`;
	const all = howMany(peopleIn(plan), 'person', 'people');
	const had =
		hasIt.length === 0
			? ''
			: `, and ${hasIt.length.toLocaleString('en')} ${hasIt.length === 1 ? 'has' : 'have'} it already`;
	const reached = `${reachable.length.toLocaleString('en')} of ${all} would get this${had}`;
	const who =
		onlyFor === undefined ? reached : `Up to ${reached} (the sender names are only for ${onlyFor})`;
	const stops = doubts.length === 0 ? '' : `, and Send ${mayStop}: ${doubts.join(', and ')}`;
	const cost = price === undefined ? 'at an unknown price' : `about ${priceIn(price)}${within}`;
	const more =
		packages === undefined
			? ''
			: ` If your contract is a monthly-audience (MAU) tariff, its package price (${priceIn(packages)}) is charged in addition.`;
	return `Nothing was sent${stops}. ${who}, ${cost}.${more} To send, ${toSend}.`;
};

/** What may keep a recipient from getting the message. */
const caveat = ({
	doubts,
	mayStop,
	onlyFor,
}: Pick<Forecast, 'doubts' | 'mayStop' | 'onlyFor'>): string | undefined => {
	if (doubts.length > 0) return `Send ${mayStop}: ${doubts.join(', and ')}`;
	return (
		onlyFor && `The sender names are only for ${onlyFor}, so the service may reject this number`
	);
};

const stateFor = (
	{ itemIndex, position, destination, text, parts, unreachable }: Forecast['seen'][number],
	{ objection, ...forecast }: Forecast,
): RecipientState => {
	const shared = { destination, text, parts };
	const columns =
		unreachable !== undefined
			? { ...shared, outcome: 'failed', reason: unreachable, reasonCode: 'rejectedByService' }
			: {
					...shared,
					outcome: objection ? 'notStarted' : 'wouldBeSent',
					reason: objection ?? caveat(forecast),
				};
	return { itemIndex, position, columns };
};

const mostTexts = 3;

/** The output items for one dispatch. */
const tellForecast = (
	forecast: Forecast,
	summary: string,
	parameters: INodeParameters,
): { items: INodeExecutionData[]; counted: Counted } => {
	const { plan, objection, doubts, seen, reachable, parts, price } = forecast;
	const states = [
		...seen.map((one) => stateFor(one, forecast)),
		...forecast.hasIt.map(toHadState),
		...plan.rejected.map((one) => toRejectedState(one)),
	];
	const counted = countPeople(states, plan.ownFields);
	if (plan.choices.output === 'recipients')
		return { items: toRecipientItems(states, plan.ownFields, parameters), counted };
	const { people, duplicates, reasons, notReached } = counted;
	const json: IDataObject = {
		summary,
		wouldSend: objection === undefined && doubts.length === 0,
		name: forecast.name,
		recipients: people.recipients,
		wouldReach: people.onTheWay,
		failed: people.failed,
		leftOut: people.leftOut,
		...(people.hasItAlready !== undefined && { hasItAlready: people.hasItAlready }),
		...(people.notStarted !== undefined && { notStarted: people.notStarted }),
		...(duplicates > 0 && { duplicates }),
		...(price && { price: { ...price, limit: plan.head.priceLimit } }),
		parts,
		texts: reachable
			.slice(0, mostTexts)
			.map(({ destination, text, parts: count }) => ({ destination, text, parts: count })),
		...(notReached.length > 0 && { reasons, notReached }),
	};
	const pairedItem = plan.itemIndexes.map((item) => ({ item }));
	return { items: [{ json, pairedItem }], counted };
};

/** Plan, check, estimate, verdict, tell: shows who would get which text and at what price. Nothing is created. */
export const previewDispatches = async (
	run: Run<unknown>,
	/** What to do to send, for the verdict. */
	toSend: string,
): Promise<INodeExecutionData[]> => {
	const { context } = run;
	// A tariff without prices has no estimate.
	const tariffs = (await list(context, partner.tariffList, {}).catch((error: unknown) => {
		throw failureAfter(
			context,
			error,
			"Nothing was created or sent. The node couldn't read the tariffs.",
		);
	})) as Tariffs;
	const kind = { ...startedDispatch, check: newDispatch.check as typeof startedDispatch.check };
	const { plans, failures: output } = planDispatches(run, kind, true);
	requireFew(plans);
	const lists = companyLists(context);
	const ready = await prepareAll(
		run,
		plans,
		output,
		async (plan) => await checkAsSend(run, plan, lists),
	).finally(async () => await endRun(context));
	const told = ready.map(([plan, judged]) => {
		const earlier = earlierWords(context, judged.sentBefore ?? []);
		const forecast = estimate(plan, judged, tariffs, earlier);
		const words = verdict(forecast, toSend);
		const { items, counted } = tellForecast(forecast, words, context.getNode().parameters);
		for (const item of items) output.push(item);
		return { plan, words, counted, items };
	});
	alignDispatches(told);
	for (const { words } of told) addHint(context, words);
	hintAtLosses(context, told, 'previews');
	return byFirstItem(output);
};

export const preview = defineOperation({
	value: 'preview',
	name: 'Preview',
	action: 'Preview dispatch',
	description:
		'See who would get which text, in how many parts and at what approximate price. Nothing is created or sent.',
	output: Preview,
	params: previewParams,
	effect: 'reads',
	execute: async (run) => await previewDispatches(run, "use the operation 'Send'"),
});
