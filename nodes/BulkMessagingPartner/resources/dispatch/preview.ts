import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ResultOf } from '../../../../core/contract/endpoint';
import { partner } from '../../../../core/contract/partner';
import { Brand } from '../../../../core/contract/values';
import { addHint, howMany } from '../../../../core/engine/hints';
import { defineOperation, type Run } from '../../../../core/engine/operation';
import { computeCost } from '../../shared/cost';
import { countParts } from '../../../../core/recipients/parts';
import { list } from '../../../../core/transport/list';
import { z } from '../../../../vendor/zod';
import { planDispatches, requireFew, type DispatchPlan } from './plan/plan';
import {
	newDispatch,
	previewParams,
	startedDispatch,
	toDraft,
	type StartValues,
} from './params/head';
import { NodeOperationError } from 'n8n-workflow';
import { UnfitValueError } from '../../../../core/engine/errors';
import { checkCallback } from '../../../shared/callback';
import { checkDispatch, companyLists } from './steps/check';
import { byFirstItem, prepareAll } from './steps/inTurn';
import { acceptedShare, limitObjection, limitsOf } from './steps/start';
import { Summary } from './steps/tell';
import { countPeople, hintAtLosses, type Counted } from './plan/losses';
import { toRecipientItems, toRejectedState, type RecipientState } from './recipientRows';

const Preview = z.object({
	summary: z.string(),
	wouldSend: z.boolean(),
	name: z.string(),
	recipients: z.number(),
	wouldReach: z.number(),
	failed: z.number(),
	leftOut: z.number(),
	price: z.object({
		from: z.number(),
		to: z.number(),
		currency: z.string(),
		limit: z.number(),
	}),
	parts: z.number(),
	texts: z.array(z.object({ destination: z.string(), text: z.string(), parts: z.number() })),
	reasons: Summary.shape.reasons,
	notReached: Summary.shape.notReached,
});

type Tariffs = ResultOf<typeof partner.tariffList>;

interface Previewed {
	itemIndex: number;
	position: number;
	destination: string;
	text: string;
	parts: number;
	/** Why the service will reject this recipient, as far as that can be known. */
	unreachable?: string;
}

/** All operators of the interface are Russian. A channel without operators has no such names. */
const russian: ReadonlySet<string> = new Set(Brand.options);

/** Whether the sender names are for Russian operators only, so that no other number can be reached. */
const isRussianOnly = (brands: readonly string[]) =>
	brands.length > 0 && brands.every((brand) => russian.has(brand));

const previewOf = (
	{ accepted, head }: DispatchPlan<StartValues>,
	brands: readonly string[],
): Previewed[] => {
	const isLimited = head.channelType === 'SMS' && isRussianOnly(brands);
	return accepted.map(({ itemIndex, position, destination, text = '' }) => {
		const { parts } = countParts(text);
		const unreachable =
			isLimited && !destination.startsWith('79')
				? `The sender names are for ${brands.join(', ')}, so the service will probably reject this number`
				: undefined;
		return { itemIndex, position, destination, text, parts, unreachable };
	});
};

const estimatesOf = (tariffs: Tariffs, seen: readonly Previewed[]) => {
	const parts = seen.reduce((sum, one) => sum + one.parts, 0);
	const volume = { messages: seen.length, recipients: seen.length, parts };
	return tariffs.flatMap((tariff) => computeCost(tariff, volume) ?? []);
};

const shownPrice = (value: number) =>
	Number(value).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** From the lowest to the highest possible total over all tariffs. There is no range if they use several currencies. */
const rangeOf = (estimates: ReturnType<typeof estimatesOf>) => {
	const [first] = estimates;
	const totals = estimates.flatMap(({ total, totalIfPerPart }) =>
		total === null ? [] : [total, totalIfPerPart ?? total],
	);
	const isMixed = estimates.some(({ currency }) => currency !== first?.currency);
	if (first === undefined || totals.length === 0 || isMixed) return undefined;
	return { from: Math.min(...totals), to: Math.max(...totals), currency: first.currency };
};

type Range = ReturnType<typeof rangeOf>;

/** What the run's dispatches before this one may cost, because 'Price Limit' is for the whole run. */
interface Spent {
	from: number;
	to: number;
}

const priceIn = ({ from, to, currency }: NonNullable<Range>) =>
	from === to
		? `${shownPrice(from)} ${currency}`
		: `${shownPrice(from)} to ${shownPrice(to)} ${currency}`;

/** Why Send would stop, by the values that it checks before the first request. */
const valueObjection = (
	{ accepted, rejected, choices }: DispatchPlan<StartValues>,
	reachable: number,
): string | undefined => {
	const all = howMany(accepted.length + rejected.length, 'person', 'people');
	if (accepted.length === 0) return `None of ${all} can get the message`;
	const { missingValues = 'stop' } = choices.options;
	const missing = rejected.filter(({ reason }) => reason === 'missingValue').length;
	if (missingValues === 'stop' && missing > 0) {
		return `${missing.toLocaleString('en')} of ${all} ${missing === 1 ? 'has' : 'have'} no value for a placeholder, and 'If a Placeholder Has No Value' is 'Stop Before Anything Is Sent'`;
	}
	return reachable === 0 ? 'No sender name can reach any of the numbers' : undefined;
};

/** Why the limits would stop Send, by the same rules. The lowest possible price counts, and an unknown price isn't an objection here. */
const objectionOfLimits = (
	plan: DispatchPlan<StartValues>,
	reachable: number,
	range: Range,
	spent: Spent,
): string | undefined => {
	const limits = limitsOf(plan.head);
	return limitObjection(range === undefined ? { ...limits, priceLimit: undefined } : limits, {
		accepted: reachable,
		share: acceptedShare(plan, reachable),
		estimate: range?.from ?? 0,
		givenEstimate: undefined,
		currency: range?.currency,
		spent: spent.from,
	});
};

/** The verdict, for the result's `summary` and the hint. */
const verdict = (
	plan: DispatchPlan<StartValues>,
	reachable: readonly Previewed[],
	estimates: ReturnType<typeof estimatesOf>,
	objection: string | undefined,
	spent: Spent,
	toSend: string,
): string => {
	const { accepted, rejected, head } = plan;
	const range = rangeOf(estimates);
	if (objection !== undefined) return `Nothing was sent, and Send would stop. ${objection}.`;
	const all = howMany(accepted.length + rejected.length, 'person', 'people');
	const { priceLimit, priceCurrency = '' } = limitsOf(head);
	const limit = `'Price Limit' (${priceLimit?.toLocaleString('en')} ${priceCurrency})`;
	const price =
		range === undefined
			? 'at an unknown price'
			: `about ${priceIn(range)}, ${spent.to + range.to > (priceLimit ?? 0) ? `possibly above ${limit}` : `within ${limit}`}`;
	const packages = estimates.flatMap(({ priceMauBatch }) => priceMauBatch ?? []);
	const [{ currency } = { currency: '' }] = estimates;
	return [
		`Nothing was sent. ${reachable.length.toLocaleString('en')} of ${all} would get this, ${price}.`,
		packages.length > 0 &&
			`If your contract is a monthly-audience (MAU) tariff, its package price (${priceIn({ from: Math.min(...packages), to: Math.max(...packages), currency })}) is charged in addition.`,
		`To send, ${toSend}.`,
	]
		.filter((text) => text)
		.join(' ');
};

const stateFor = (
	{ itemIndex, position, destination, text, parts, unreachable }: Previewed,
	objection: string | undefined,
): RecipientState => {
	const shared = { destination, text, parts };
	const columns =
		unreachable !== undefined
			? { ...shared, outcome: 'failed', reason: unreachable, reasonCode: 'rejectedByService' }
			: { ...shared, outcome: objection ? 'notStarted' : 'wouldBeSent', reason: objection };
	return { itemIndex, position, columns };
};

const mostTexts = 3;

/** What Send would do with one dispatch. */
const previewOne = (
	plan: DispatchPlan<StartValues>,
	tariffs: Tariffs,
	{ objection: found, brands }: Judged,
	spent: Spent,
	toSend: string,
): { items: INodeExecutionData[]; counted: Counted; words: string; range: Range } => {
	const seen = previewOf(plan, brands);
	const reachable = seen.filter(({ unreachable }) => unreachable === undefined);
	const estimates = estimatesOf(tariffs, reachable);
	const range = rangeOf(estimates);
	const objection =
		found ??
		valueObjection(plan, reachable.length) ??
		objectionOfLimits(plan, reachable.length, range, spent);
	const words = verdict(plan, reachable, estimates, objection, spent, toSend);
	const states = [
		...seen.map((one) => stateFor(one, objection)),
		...plan.rejected.map((one) => toRejectedState(one)),
	];
	const counted = countPeople(states);
	const told = { counted, words, range: objection === undefined ? range : undefined };
	if (plan.choices.output === 'recipients')
		return { items: toRecipientItems(states, plan.ownFields, true), ...told };
	const { people, reasons, notReached } = counted;
	const json: IDataObject = {
		summary: words,
		wouldSend: objection === undefined,
		name: plan.head.name,
		recipients: people.recipients,
		wouldReach: people.onTheWay,
		failed: people.failed,
		leftOut: people.leftOut,
		...(people.notStarted !== undefined && { notStarted: people.notStarted }),
		...(range && { price: { ...range, limit: plan.head.priceLimit } }),
		parts: reachable.reduce((sum, one) => sum + one.parts, 0),
		texts: reachable
			.slice(0, mostTexts)
			.map(({ destination, text, parts }) => ({ destination, text, parts })),
		...(notReached.length > 0 && { reasons, notReached }),
	};
	const pairedItem = plan.itemIndexes.map((item) => ({ item }));
	return { items: [{ json, pairedItem }], ...told };
};

/** What the service's data say about a dispatch. */
interface Judged {
	/** Why Send would stop. */
	objection?: string;
	/** The operators of the sender names. */
	brands: readonly string[];
}

/** Checks what Send checks before it creates anything. */
const judgeDispatch = async (
	{ context }: Run<unknown>,
	plan: DispatchPlan<StartValues>,
	lists: ReturnType<typeof companyLists>,
): Promise<Judged> => {
	const check = async () => {
		const { callbackUrl } = toDraft(plan.head).draft;
		checkCallback(context, callbackUrl, plan.head.options.callbackAuthentication);
		const { claimed, brands } = await checkDispatch(context, plan, lists);
		// A preview creates nothing, so the name is free again at once.
		claimed?.end({ ids: [], left: [] });
		return { brands };
	};
	return await check().catch((error: unknown) => {
		if (error instanceof UnfitValueError || error instanceof NodeOperationError) {
			return { objection: error.message, brands: [] };
		}
		// A failed request doesn't say whether Send would stop.
		throw error;
	});
};

/** Shows who would get which text and at what price. Nothing is created. */
export const previewDispatches = async (
	run: Run<unknown>,
	/** What to do to send, for the verdict. */
	toSend: string,
): Promise<INodeExecutionData[]> => {
	const { context } = run;
	// A tariff without prices has no estimate.
	const tariffs = (await list(context, partner.tariffList, {})) as Tariffs;
	const kind = { ...startedDispatch, check: newDispatch.check as typeof startedDispatch.check };
	const { plans, failures: output } = planDispatches(run, kind, true);
	requireFew(plans);
	const lists = companyLists(context);
	const ready = await prepareAll(
		run,
		plans,
		output,
		async (plan) => await judgeDispatch(run, plan, lists),
	);
	const spent = { from: 0, to: 0 };
	const told = ready.map(([plan, judged]) => {
		const { items, range, ...seen } = previewOne(plan, tariffs, judged, spent, toSend);
		spent.from += range?.from ?? 0;
		spent.to += range?.to ?? 0;
		for (const item of items) output.push(item);
		return { plan, ...seen };
	});
	for (const { words } of told) addHint(context, words);
	hintAtLosses(context, told, false);
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
