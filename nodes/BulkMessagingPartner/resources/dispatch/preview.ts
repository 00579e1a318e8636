import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { ResultOf } from '../../../../core/contract/endpoint';
import { partner } from '../../../../core/contract/partner';
import { Brand } from '../../../../core/contract/values';
import { addHint, howMany } from '../../../../core/engine/hints';
import { defineOperation, type Run } from '../../../../core/engine/operation';
import { computeCost } from '../../shared/cost';
import { countParts } from '../../../../core/recipients/parts';
import { list } from '../../../../core/transport/list';
import { z } from '../../../../vendor/zod';
import { planDispatches, requireFew, type DispatchPlan } from '../../../dispatches/plan/plan';
import {
	newDispatch,
	previewParams,
	startedDispatch,
	toDraft,
	type StartValues,
} from '../../../dispatches/params/head';
import { NodeOperationError } from 'n8n-workflow';
import { UnfitValueError } from '../../../../core/engine/errors';
import { checkCallback } from '../../../shared/callback';
import { checkDispatch, companyLists, toSenders } from '../../../dispatches/steps/check';
import { alignDispatches, byFirstItem, prepareAll } from '../../../dispatches/steps/inTurn';
import type { Checked } from '../../../dispatches/steps/job';
import { acceptedShare, limitObjection, limitsOf, peopleIn } from '../../../dispatches/steps/start';
import { failureAfter } from '../../../dispatches/steps/refusal';
import { firstClaim } from '../../../dispatches/steps/yield';
import { Summary } from '../../../dispatches/tell/result';
import { countPeople, hintAtLosses, type Counted } from '../../../dispatches/tell/people';
import {
	toRecipientItems,
	toRejectedState,
	type RecipientState,
} from '../../../dispatches/tell/rows';

const Preview = z.object({
	summary: z.string(),
	wouldSend: z.boolean(),
	name: z.string(),
	recipients: z.number(),
	wouldReach: z.number(),
	failed: z.number(),
	leftOut: z.number(),
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
): Promise<{ objection?: string } & Pick<Checked, 'brands' | 'budget'>> => {
	const check = async () => {
		const { callbackUrl } = toDraft(plan.head).draft;
		checkCallback(context, callbackUrl, plan.head.options.callbackAuthentication);
		const { claimed, brands, budget, job } = await checkDispatch(context, plan, lists);
		// A preview creates nothing, so the name is free again at once.
		claimed?.end({ ids: [], abandoned: [] });
		const taken = await firstClaim(job, await lists(plan.head.companyId));
		return { objection: taken ?? planObjection(plan), brands, budget };
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
	{ accepted, head }: DispatchPlan<StartValues>,
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

interface Spent {
	from: number;
	to: number;
}

/** Whether an amount in this currency is certainly above the budget. Nothing may be spent if it is 0. */
const isAbove = (budget: Checked['budget'], amount: number, currency: string | undefined) =>
	budget !== undefined &&
	(budget.value === 0 || (budget.currency === currency && amount > budget.value + 1e-9));

/**
 * What Send would do with one dispatch, by the same rules. The lowest possible price counts against the limits, and an unknown
 * price isn't an objection here.
 */
const estimate = (
	plan: DispatchPlan<StartValues>,
	{ objection, brands, budget }: Awaited<ReturnType<typeof checkAsSend>>,
	tariffs: Tariffs,
	/** What the run's dispatches before this one may cost, because 'Price Limit' is for the whole run. */
	spent: Spent,
	/** The same for this company's dispatches. */
	ofCompany: Spent,
) => {
	const seen = previewRecipients(plan, brands);
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
	const isWithinLimit = spent.to + (price?.to ?? 0) <= priceLimit + 1e-9;
	const monthly = `monthly budget (${budget?.value.toLocaleString('en')} ${budget?.currency})`;
	const byBudget = isAbove(budget, ofCompany.from + least, price?.currency)
		? `Company ${plan.head.companyId}'s ${monthly} doesn't cover this dispatch`
		: undefined;
	const byLimits = () => {
		if (accepted === 0) return 'No sender name can reach any of the numbers';
		return limitObjection(price === undefined ? { ...limits, priceLimit: undefined } : limits, {
			accepted,
			share: acceptedShare(plan, accepted),
			estimate: least,
			givenEstimate: undefined,
			currency: price?.currency,
			spent: spent.from,
		});
	};
	const beyond = objection === undefined ? byLimits() : undefined;
	return {
		plan,
		/** Why Send would stop. */
		objection: objection ?? beyond ?? byBudget,
		/** Whether Send would create the dispatch all the same. */
		isLeft: beyond !== undefined && limits.whenPassed === 'leave',
		mayStop: limits.whenPassed === 'leave' ? 'may leave the dispatch unstarted' : 'may stop',
		/** Why Send may stop, although nothing is certain to stop it. */
		doubts: [
			...(isWithinLimit ? [] : [`the price is possibly above ${limit}`]),
			...(isAbove(budget, ofCompany.to + (price?.to ?? 0), price?.currency)
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
		least,
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
	const { onlyFor, reachable, price, packages, within } = forecast;
	if (isLeft)
		return `Nothing was sent. Send would create the dispatch without starting it. ${objection}.`;
	if (objection !== undefined) return `Nothing was sent, and Send would stop. ${objection}.`;
	const all = howMany(peopleIn(plan), 'person', 'people');
	const reached = `${reachable.length.toLocaleString('en')} of ${all} would get this`;
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
		...plan.rejected.map((one) => toRejectedState(one)),
	];
	const counted = countPeople(states, plan.ownFields);
	if (plan.choices.output === 'recipients')
		return { items: toRecipientItems(states, plan.ownFields, parameters), counted };
	const { people, duplicates, reasons, notReached } = counted;
	const json: IDataObject = {
		summary,
		wouldSend: objection === undefined && doubts.length === 0,
		name: plan.head.name,
		recipients: people.recipients,
		wouldReach: people.onTheWay,
		failed: people.failed,
		leftOut: people.leftOut,
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
	);
	const spent = { from: 0, to: 0 };
	const byCompany = new Map<number, Spent>();
	// Unless the node continues on errors, Send stops before it creates anything, or at the first dispatch that it can't start.
	let blocker = context.continueOnFail()
		? null
		: ready.find(([, { objection }]) => objection !== undefined);
	const told = ready.map(([plan, judged]) => {
		const { companyId } = plan.head;
		const ofCompany = byCompany.get(companyId) ?? { from: 0, to: 0 };
		byCompany.set(companyId, ofCompany);
		const byOther =
			blocker &&
			`Another dispatch of this run, "${blocker[0].head.name}", would stop it: ${blocker[1].objection}`;
		const objection = judged.objection ?? byOther ?? undefined;
		const forecast = estimate(plan, { ...judged, objection }, tariffs, spent, ofCompany);
		if (blocker === undefined && forecast.objection !== undefined && !forecast.isLeft)
			blocker = [plan, { ...judged, objection: forecast.objection }];
		for (const sum of forecast.objection === undefined ? [spent, ofCompany] : []) {
			sum.from += forecast.least;
			sum.to += forecast.price?.to ?? 0;
		}
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
