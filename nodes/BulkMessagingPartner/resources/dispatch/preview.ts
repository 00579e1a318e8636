import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ResultOf } from '../../../../core/contract/endpoint';
import { partner } from '../../../../core/contract/partner';
import { howMany } from '../../../../core/engine/hints';
import { defineOperation, type Run } from '../../../../core/engine/operation';
import { computeCost } from '../../shared/cost';
import { countParts } from '../../../../core/recipients/parts';
import { list } from '../../../../core/transport/list';
import { z } from '../../../../vendor/zod';
import {
	planDispatches,
	requireFew,
	type DispatchPlan,
	type HeadKind,
	type HeadOf,
} from './plan/plan';
import { newDispatch, previewParams, toDraft, type HeadValues } from './params/head';
import { NodeOperationError } from 'n8n-workflow';
import { UnfitValueError } from '../../../../core/engine/errors';
import type { Param } from '../../../../core/engine/params';
import { checkCallback } from '../../../shared/callback';
import { checkDispatch, companyLists } from './steps/check';
import { byFirstItem, prepareAll } from './steps/inTurn';
import { countByReason, hintAtLosses } from './plan/losses';
import { toRecipientItems, toRejectedState } from './recipientRows';

const Preview = z.object({
	summary: z.string(),
	from: z.number().nullable(),
	to: z.number().nullable(),
	currency: z.string(),
	rejected: z.object({
		unreadableNumber: z.number(),
		duplicate: z.number(),
		missingValue: z.number(),
		emptyText: z.number(),
	}),
	name: z.string(),
	recipients: z.number(),
	parts: z.number(),
	longestText: z.string(),
	longestTextParts: z.number(),
	unresolvedPlaceholders: z.array(z.string()),
});

type Tariffs = ResultOf<typeof partner.tariffList>;

interface Previewed {
	itemIndex: number;
	position: number;
	destination: string;
	text: string;
	parts: number;
}

const previewOf = ({ accepted }: DispatchPlan<HeadValues>): Previewed[] =>
	accepted.map(({ itemIndex, position, destination, text = '' }) => {
		const { parts } = countParts(text);
		return { itemIndex, position, destination, text, parts };
	});

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
	if (first === undefined || totals.length === 0 || isMixed) {
		return { from: null, to: null, currency: '' };
	}
	return { from: Math.min(...totals), to: Math.max(...totals), currency: first.currency };
};

const priceIn = ({ from, to, currency }: ReturnType<typeof rangeOf>) => {
	if (from === null || to === null) return 'unknown';
	return from === to
		? `${shownPrice(from)} ${currency}`
		: `${shownPrice(from)} to ${shownPrice(to)} ${currency}`;
};

/** What Send would do, for the result's `summary`. */
const sentenceFor = (
	{ rejected, choices }: DispatchPlan<HeadValues>,
	seen: readonly Previewed[],
	range: ReturnType<typeof rangeOf>,
	estimates: ReturnType<typeof estimatesOf>,
): string => {
	const all = seen.length + rejected.length;
	if (seen.length === 0)
		return `None of ${howMany(all, 'person', 'people')} would get the message.`;
	const { missingValues = 'stop' } = choices.recipientOptions;
	const { missingValue } = countByReason(rejected);
	if (missingValues === 'stop' && missingValue > 0) {
		return `Nothing would be sent. ${missingValue.toLocaleString('en')} of ${howMany(all, 'person', 'people')} ${missingValue === 1 ? 'has' : 'have'} no value for a placeholder, and 'If a Placeholder Has No Value' is set to 'Stop Before Anything Is Sent'.`;
	}
	const remarks = [
		`${seen.length.toLocaleString('en')} of ${howMany(all, 'person', 'people')} would get the message. Estimated price: ${priceIn(range)}.`,
	];
	if (range.from !== range.to) {
		const byParts = seen.some(({ parts }) => parts > 1)
			? ' and on whether the provider charges each part'
			: '';
		remarks.push(`The price depends on the tariff${byParts}.`);
	}
	const packages = estimates.flatMap(({ priceMauBatch }) => priceMauBatch ?? []);
	if (packages.length > 0) {
		const [{ currency } = range] = estimates;
		const prices = { from: Math.min(...packages), to: Math.max(...packages), currency };
		remarks.push(
			`Monthly audience (MAU) tariffs also charge a price per package, which isn't included here: ${priceIn(prices)}.`,
		);
	}
	return remarks.join(' ');
};

type Objection = (
	group: DispatchPlan<HeadValues>,
	range: ReturnType<typeof rangeOf>,
) => string | undefined;

/** The output items for one dispatch. */
const previewItems = (
	group: DispatchPlan<HeadValues>,
	tariffs: Tariffs,
	/** Why Send would stop. */
	found: string | undefined,
	limitObjection: Objection,
): INodeExecutionData[] => {
	const seen = previewOf(group);
	if (group.choices.output === 'recipients') {
		const states = seen.map(({ itemIndex, position, ...columns }) => ({
			itemIndex,
			position,
			columns: { ...columns, accepted: true, outcome: 'wouldBeSent' },
		}));
		const rejected = group.rejected.map((one) => toRejectedState(one));
		return toRecipientItems([...states, ...rejected], group.ownFields, true);
	}
	const estimates = estimatesOf(tariffs, seen);
	const range = rangeOf(estimates);
	const objection = found ?? limitObjection(group, range);
	const [longest] = [...seen].sort((a, b) => b.text.length - a.text.length);
	const json: IDataObject = {
		summary:
			objection === undefined
				? sentenceFor(group, seen, range, estimates)
				: `Nothing would be sent. ${objection}.`,
		...range,
		rejected: countByReason(group.rejected),
		name: group.head.name,
		recipients: seen.length,
		parts: seen.reduce((sum, one) => sum + one.parts, 0),
		longestText: longest?.text ?? '',
		longestTextParts: longest?.parts ?? 0,
		unresolvedPlaceholders: [...new Set(group.rejected.flatMap(({ missing = [] }) => missing))],
	};
	return [{ json, pairedItem: group.itemIndexes.map((item) => ({ item })) }];
};

/** Why Send would stop, as far as that can be known before sending. */
const objectionTo = async (
	{ context }: Run<unknown>,
	plan: DispatchPlan<HeadValues>,
	lists: ReturnType<typeof companyLists>,
): Promise<string | undefined> => {
	const check = async () => {
		const { callbackUrl } = toDraft(plan.head).draft;
		checkCallback(context, callbackUrl, plan.head.options.callbackAuthentication);
		const { claimed } = await checkDispatch(context, plan, lists);
		// A preview creates nothing, so the name is free again at once.
		claimed?.end({ ids: [], left: [] });
		return undefined;
	};
	return await check().catch((error: unknown) => {
		if (error instanceof UnfitValueError || error instanceof NodeOperationError) {
			return error.message;
		}
		// A failed request doesn't say whether Send would stop.
		throw error;
	});
};

/** Shows who would get which text and at what price. Nothing is created. */
export const previewDispatches = async <Ps extends readonly Param[]>(
	run: Run<unknown>,
	kind: HeadKind<Ps>,
	limitObjection: (
		plan: DispatchPlan<HeadOf<Ps>>,
		range: ReturnType<typeof rangeOf>,
	) => string | undefined = () => undefined,
): Promise<INodeExecutionData[]> => {
	const { context } = run;
	// A tariff without prices has no estimate.
	const tariffs = (await list(context, partner.tariffList, {})) as Tariffs;
	const own = { ...kind, check: newDispatch.check as typeof kind.check };
	const { plans, failures: output } = planDispatches(run, own, true);
	// Every `HeadKind` passed here has at least the parameters of a new dispatch.
	const asNew = (plan: DispatchPlan<HeadOf<Ps>>) => plan as unknown as DispatchPlan<HeadValues>;
	requireFew(plans.map(asNew));
	const lists = companyLists(context);
	const ready = await prepareAll(
		run,
		plans,
		output,
		async (plan) => await objectionTo(run, asNew(plan), lists),
	);
	for (const [plan, objection] of ready) {
		const toObjection: Objection = (_, range) => limitObjection(plan, range);
		for (const item of previewItems(asNew(plan), tariffs, objection, toObjection))
			output.push(item);
	}
	const told = ready.map(([plan]) => ({ plan, refused: 0 }));
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
	execute: async (run) => await previewDispatches(run, newDispatch),
});
