import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { type Sorted, Sorter } from './sorter';
import { UnfitValueError, valueRequired } from '../../../core/engine/errors';
import { howMany } from '../../../core/engine/hints';
import type { Run } from '../../../core/engine/operation';
import type { Reader } from '../../../core/engine/read';
import type { Param, ValuesOf } from '../../../core/engine/params';
import { outputAndOptions } from '../params/recipientOptions';
import { jsonLabel, listParams, sourceParam, type TextParam } from '../params/recipients';
import { LeftBraces, textChecker } from '../../shared/placeholders';
import { nobodyLeft } from '../tell/people';
import { comparableName } from './names';
import { countryReader, itemRows, listedRows, type RecipientSource, type Row } from './rows';

type RecipientChoices = ValuesOf<typeof outputAndOptions>;

/** One dispatch as it should be: the items that share it, and their accepted and rejected recipients. */
export interface DispatchPlan<Head> extends Sorted {
	head: Head;
	/** The user's options for recipients and output. */
	choices: RecipientChoices;
	batchSize: number;
	/** Every input item the group comes from, in order. */
	itemIndexes: number[];
	source: RecipientSource;
	/** The fields of the recipient's input item; empty if an item lists several recipients. */
	ownFields: (itemIndex: number) => IDataObject;
}

export type HeadOf<Ps extends readonly Param[]> = ValuesOf<Ps> & { text: string };

/** What determines which items share a dispatch, and what belongs to the dispatch as a whole. */
export interface HeadKind<Ps extends readonly Param[]> {
	/** Items with the same values for these share a dispatch. */
	identity: readonly Param[];
	/** Read once, from the first item of the dispatch. */
	params: Ps;
	/** Items may have different texts. Then each recipient's text is sent with the recipient. */
	text: TextParam;
	/** Whether the recipients join a dispatch that was created with a text we don't know. */
	hasOtherText: boolean;
	/** Throws if the service would reject the dispatch regardless of its recipients. */
	check: (head: HeadOf<Ps>, context: IExecuteFunctions) => unknown;
}

const defaultBatchSize = 1000;

export const toBatchSize = (size = defaultBatchSize): number => {
	if (Number.isInteger(size) && size >= 1) return size;
	throw new UnfitValueError('Batch Size', 'must be a whole number, 1 or greater');
};

/** Stops before anything is sent if a placeholder has no value. Called only if the user chose that. */
const checkMissing = ({ rejected }: Sorted, { displayName }: TextParam) => {
	const missing = rejected.filter(({ reason }) => reason === 'missingValue');
	const [first] = missing;
	if (first === undefined) return;
	const more = missing.length - 1;
	const others =
		more === 0
			? ''
			: ` ${howMany(more, 'more item')} ${more === 1 ? 'has' : 'have'} the same problem.`;
	throw new UnfitValueError(
		displayName,
		`has a placeholder without a value in item ${first.itemIndex + 1}: ${first.detail}.${others} Add the value, write a fallback such as {name|friend}, or change 'If a Placeholder Has No Value'`,
		first.itemIndex,
	);
};

/** A dispatch while its items are read. Recipients are sorted immediately, so that the rows of many items aren't kept. */
type Draft<Head> = Pick<DispatchPlan<Head>, 'itemIndexes'> &
	(
		| (Pick<DispatchPlan<Head>, 'head' | 'choices' | 'batchSize'> & { sorter: Sorter })
		| { error: unknown }
	);
type Results = INodeExecutionData[];

/** Names that look the same are the same name. */
const keyOf = (identity: Readonly<Record<string, unknown>>): string =>
	JSON.stringify(
		Object.entries(identity).map(([name, value]) =>
			name === 'name' ? comparableName(String(value ?? '')) : value,
		),
	);

/** Reads all items: those with the same identity share a dispatch. Items that can't be read become failures. */
const readDrafts = <Ps extends readonly Param[]>(
	run: Run<unknown>,
	{ identity, params, text: textParam, hasOtherText }: HeadKind<Ps>,
) => {
	const readIdentity = run.reader(identity) as Reader<Record<string, unknown>>;
	const readHead = run.reader(params);
	const readText = run.reader([textParam] as const);
	const { recipients: source } = run.reader([sourceParam] as const).at(0);
	const readList = run.reader(listParams);
	const readChoices = run.reader(outputAndOptions);
	const readCountry = countryReader(run.readerOf);
	const isPersonal = !readText.isFixed;
	const readRow = itemRows(run, isPersonal ? textParam : undefined);
	const checkText = textChecker({
		displayName: textParam.displayName,
		isFixed: readText.isConstant,
	});
	const checkCustomText = textChecker({
		displayName: source === 'json' ? jsonLabel : 'Custom Text',
		isFixed: readList.isConstant,
	});
	const drafts = new Map<string, Draft<ValuesOf<Ps>>>();
	const failures: Results = [];
	const rowsOf = (itemIndex: number): readonly Row[] => {
		if (source === 'items') return [readRow(itemIndex)];
		const country = readCountry(itemIndex);
		const text = isPersonal ? (readText.at(itemIndex).text ?? '') : undefined;
		return listedRows(source, readList.at(itemIndex), { itemIndex, country, text });
	};
	const open = (itemIndex: number, text: string | undefined): Draft<ValuesOf<Ps>> => {
		try {
			const choices = readChoices.at(itemIndex);
			const { missingValues = 'stop', batchSize } = choices.options;
			const sorter = new Sorter({ text: text || undefined, hasOtherText, missingValues });
			const head = readHead.at(itemIndex);
			return { head, choices, batchSize: toBatchSize(batchSize), sorter, itemIndexes: [] };
		} catch (error) {
			// It fails the whole dispatch, not only the item that opened it.
			return { error, itemIndexes: [] };
		}
	};
	/** Most runs have one dispatch, so its key is worked out once. */
	const constantKey = readIdentity.isConstant ? '' : undefined;
	for (let itemIndex = 0; itemIndex < run.items.length; itemIndex++) {
		try {
			const key = constantKey ?? keyOf(readIdentity.at(itemIndex));
			const text = isPersonal ? undefined : readText.at(itemIndex).text;
			const rows = rowsOf(itemIndex);
			checkText(text);
			for (const row of rows) {
				checkText(row.own.text);
				checkCustomText(row.own.customText);
			}
			const known = drafts.get(key);
			const draft = known ?? open(itemIndex, text);
			if ('sorter' in draft) for (const row of rows) draft.sorter.add(row);
			// Only now, because an item that can't be read doesn't belong to any dispatch.
			draft.itemIndexes.push(itemIndex);
			if (known === undefined) drafts.set(key, draft);
		} catch (error) {
			failures.push(run.failed(itemIndex, error));
		}
	}
	const ownFields = (itemIndex: number) =>
		source === 'items' ? (run.items[itemIndex]?.json ?? {}) : {};
	return { drafts: [...drafts.values()], isPersonal, failures, ownFields, source };
};

/** The dispatch's text if its items have their own texts. A new dispatch needs one even if each recipient has a custom text. */
const personalText = ({ text, accepted }: Sorter, { displayName, required }: TextParam): string => {
	if (text !== undefined) return text;
	if (required !== true && accepted.length > 0) return '';
	throw new UnfitValueError(displayName, `${valueRequired}, but is empty for every item`);
};

const usualMost = 10;

/** Stops a run that would create very many dispatches, which is hardly ever intended: often a name differs by item. */
export const requireFew = (
	plans: ReadonlyArray<DispatchPlan<{ name?: string; options: { mostDispatches?: number } }>>,
): void => {
	const [first, second] = plans;
	const most = first?.head.options.mostDispatches ?? usualMost;
	if (first === undefined || second === undefined || plans.length <= most) return;
	throw new UnfitValueError(
		'Dispatch Name',
		`would create ${plans.length.toLocaleString('en')} dispatches, for example "${first.head.name ?? ''}" and "${second.head.name ?? ''}". Items with the same company, channel and name share a dispatch`,
		undefined,
		`Use one name for all items, or add the option 'Most Dispatches per Run'.`,
	);
};

/**
 * Turns the items into dispatches and sorts their recipients. All parameters are checked here, before the first request. A
 * dispatch that can't be sent becomes a failure.
 */
export const planDispatches = <Ps extends readonly Param[]>(
	run: Run<unknown>,
	kind: HeadKind<Ps>,
	/** A preview shows problems instead of stopping. */
	isPreview = false,
): { plans: Array<DispatchPlan<HeadOf<Ps>>>; failures: Results } => {
	const { drafts, isPersonal, failures, ...shared } = readDrafts(run, kind);
	const plans: Array<DispatchPlan<HeadOf<Ps>>> = [];
	const braces = new LeftBraces();
	for (const draft of drafts) {
		const { itemIndexes } = draft;
		try {
			if ('error' in draft) throw draft.error;
			const { choices, batchSize, sorter } = draft;
			const { accepted, rejected } = sorter;
			const text = isPersonal ? personalText(sorter, kind.text) : (sorter.text ?? '');
			const head = { ...draft.head, text };
			kind.check(head, run.context);
			const { missingValues = 'stop' } = choices.options;
			if (missingValues === 'stop' && !isPreview) checkMissing(sorter, kind.text);
			if (accepted.length === 0 && !isPreview) throw nobodyLeft(run.context, sorter, itemIndexes);
			plans.push({ ...shared, head, choices, batchSize, itemIndexes, accepted, rejected });
			braces.addAll(sorter.braces);
		} catch (error) {
			failures.push(run.failed(itemIndexes, error));
		}
	}
	braces.tell(run.context);
	return { plans, failures };
};
