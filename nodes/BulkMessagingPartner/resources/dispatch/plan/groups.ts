import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { RecipientContent } from './recipient';
import { Sorter, type Sorted, type SortingRules } from './sorter';
import { UnfitValueError } from '../../../../../core/engine/errors';
import { howMany } from '../../../../../core/engine/hints';
import type { Run } from '../../../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../../../core/engine/params';
import { recipientOptionParams } from '../params/recipientOptions';
import { listParams, sourceParam, type TextParam } from '../params/recipients';
import { additionalFields } from '../../../../shared/additionalFields';
import { LeftBraces } from '../../../../shared/leftBraces';
import { textChecker } from '../../../../shared/placeholders';
import { Losses, nobodyLeft } from './losses';
import { customTextField, itemRows, listedRows, type RecipientSource } from './rows';

type RecipientChoices = ValuesOf<typeof recipientOptionParams>;

/** Items that share one dispatch, and their accepted and rejected recipients. */
export interface RecipientGroup<Head> extends Sorted {
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

/** What determines which items share a dispatch. */
export interface HeadKind<Ps extends readonly Param[]> {
	/** Items with the same values for all of these share a dispatch. */
	params: Ps;
	/** Items may have different texts. Then each recipient's text is sent with the recipient. */
	text: TextParam;
	/** Whether the recipients may join a dispatch that was created with a different text. */
	mayHaveOtherText: (head: ValuesOf<Ps>) => boolean;
	/** Values from JSON that replace parameters. */
	replaced?: (head: ValuesOf<Ps>) => { head: object; text?: string };
	/** Throws if the service would reject the dispatch regardless of its recipients. */
	check: (head: HeadOf<Ps>, context: IExecuteFunctions) => unknown;
}

const defaultBatchSize = 1000;

const toBatchSize = (size = defaultBatchSize): number => {
	if (Number.isInteger(size) && size >= 1) return size;
	throw new UnfitValueError('Batch Size', 'must be a whole number, 1 or greater');
};

/** Stops before anything is sent if a placeholder has no value. Called only if the user chose that. */
const checkMissing = ({ rejected }: Sorted) => {
	const missing = rejected.filter(({ reason }) => reason === 'missingValue');
	const [first] = missing;
	if (first === undefined) return;
	const more = missing.length - 1;
	const others =
		more === 0
			? ''
			: ` ${howMany(more, 'more item')} ${more === 1 ? 'has' : 'have'} the same problem.`;
	throw new UnfitValueError(
		'Text',
		`has a placeholder without a value in item ${first.itemIndex + 1}: ${first.detail}.${others} Add the value, write a fallback such as {name|friend}, or change 'If a Placeholder Has No Value'`,
		first.itemIndex,
	);
};

/** Results, including failures, are sorted by their first item. */
const firstItemOf = ({ pairedItem }: INodeExecutionData): number => {
	const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof first === 'number' ? first : (first?.item ?? 0);
};

/** A dispatch while its items are read. Recipients are sorted immediately, so that the rows of many items aren't kept. */
interface Draft<Head> extends Pick<RecipientGroup<Head>, 'head' | 'itemIndexes'> {
	sorting:
		| (Pick<RecipientGroup<Head>, 'choices' | 'batchSize'> & { sorter: Sorter })
		| { error: unknown };
}
type Results = INodeExecutionData[];

/** An error here fails the whole dispatch, not only the item that opened it. */
const openSorting = (
	readChoices: () => RecipientChoices,
	rules: Pick<SortingRules, 'text' | 'mayHaveOtherText'>,
	readAgain?: (itemIndex: number) => RecipientContent,
): Draft<unknown>['sorting'] => {
	try {
		const choices = readChoices();
		const { duplicates = 'first', missingValues = 'stop', ...options } = choices.recipientOptions;
		const batchSize = toBatchSize(options.batchSize);
		const sorter = new Sorter({ ...rules, duplicates, missingValues }, readAgain);
		return { choices, batchSize, sorter };
	} catch (error) {
		return { error };
	}
};

/**
 * Reads all items. If the recipients are input items, items with the same head share a dispatch, even with different texts.
 * Otherwise each item is a dispatch with the recipients it lists. Items that can't be read become failures.
 */
const readDrafts = <Ps extends readonly Param[]>(
	run: Run<unknown>,
	{ params, text: textParam, mayHaveOtherText, replaced }: HeadKind<Ps>,
) => {
	const readHead = run.reader(params);
	const readText = run.reader([textParam] as const);
	const { recipients: source } = run.reader([sourceParam] as const)(0);
	const readList = run.reader(listParams);
	const readChoices = run.reader(recipientOptionParams);
	const isPersonal = source === 'items' && !readText.isFixed;
	const readRow = itemRows(run, isPersonal ? textParam : undefined);
	const checkText = textChecker({
		displayName: textParam.displayName,
		isFixed: readText.isConstant,
	});
	const checkCustomText = textChecker(customTextField(run, source));
	const drafts = new Map<string, Draft<ValuesOf<Ps>>>();
	const failures: Results = [];
	const keyOf = (head: ValuesOf<Ps>, itemIndex: number) => {
		if (source !== 'items') return String(itemIndex);
		return readHead.isConstant ? '' : JSON.stringify(head);
	};
	let last: { given: ValuesOf<Ps>; head: ValuesOf<Ps>; otherText?: string } | undefined;
	/** Items usually share one head. It is read from the item anyway, but what replaces it is worked out once. */
	const headOf = (itemIndex: number) => {
		const given = readHead(itemIndex);
		if (last?.given === given) return last;
		const instead = replaced?.(given);
		const head = instead === undefined ? given : { ...given, ...instead.head };
		return (last = { given, head, otherText: instead?.text });
	};
	for (let itemIndex = 0; itemIndex < run.items.length; itemIndex++) {
		try {
			const { head, otherText } = headOf(itemIndex);
			if (isPersonal && otherText !== undefined) {
				throw new UnfitValueError(
					additionalFields.displayName,
					`can't replace text while '${textParam.displayName}' contains an expression`,
				);
			}
			const text = isPersonal ? undefined : (otherText ?? readText(itemIndex).text);
			const key = keyOf(head, itemIndex);
			const rows =
				source === 'items'
					? [readRow(itemIndex)]
					: listedRows(
							source,
							readList(itemIndex),
							itemIndex,
							readChoices(itemIndex).defaultCountry,
						);
			checkText(text);
			for (const row of rows) {
				checkText(row.text);
				checkCustomText(row.customText);
			}
			const known = drafts.get(key);
			const draft = known ?? {
				head,
				itemIndexes: [],
				sorting: openSorting(
					() => readChoices(itemIndex),
					{ text: text || undefined, mayHaveOtherText: mayHaveOtherText(head) },
					source === 'items' ? readRow : undefined,
				),
			};
			if ('sorter' in draft.sorting) {
				for (const row of rows) draft.sorting.sorter.add(row);
			}
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
	throw new UnfitValueError(displayName, 'is empty for every item. It is required');
};

export interface GroupResult {
	items: Results;
	/** How many recipients the service rejected. */
	refused: number;
	/** They were rejected because the dispatch was already started. */
	isClosed?: boolean;
	/** The dispatch that was created or changed. */
	dispatchId?: number;
}

/** Adds the processed dispatches to an error, because n8n drops the output of a node that fails. */
const withDone = (failure: unknown, ids: readonly unknown[]): unknown => {
	if (
		ids.length === 0 ||
		!(failure instanceof NodeApiError || failure instanceof NodeOperationError)
	)
		return failure;
	const one = ids.length === 1;
	const done = `${one ? 'Dispatch' : 'Dispatches'} ${ids.join(', ')} ${one ? 'was' : 'were'} processed before this error. Don't send ${one ? 'it' : 'them'} again.`;
	failure.description = `${done} ${failure.description ?? ''}`.trim();
	return failure;
};

/** How the groups of a run are processed. */
interface GroupWork<Head, Prepared> {
	/** Called for every group before `work` is called for the first one. If it throws, nothing is sent for the group. */
	prepare: (group: RecipientGroup<Head>) => Promise<Prepared>;
	work: (group: RecipientGroup<Head>, prepared: Prepared) => Promise<GroupResult>;
	/** A preview shows problems instead of stopping. */
	isPreview?: boolean;
	/** Each group becomes a dispatch. */
	makesDispatches?: boolean;
}

/**
 * First checks every dispatch and sorts its recipients, so that problems stop it before anything is sent. Then processes one
 * dispatch after another. A dispatch that fails becomes one output item that is linked to all of its input items.
 */
export const forEachGroup = async <Ps extends readonly Param[], Prepared>(
	run: Run<unknown>,
	kind: HeadKind<Ps>,
	{ prepare, work, isPreview = false, makesDispatches = false }: GroupWork<HeadOf<Ps>, Prepared>,
): Promise<Results> => {
	const { drafts, isPersonal, failures: output, ...shared } = readDrafts(run, kind);
	const groups: Array<RecipientGroup<HeadOf<Ps>>> = [];
	const ready: Array<{ group: RecipientGroup<HeadOf<Ps>>; prepared: Prepared }> = [];
	const braces = new LeftBraces();
	for (const { itemIndexes, sorting, ...draft } of drafts) {
		try {
			if ('error' in sorting) throw sorting.error;
			const { choices, batchSize, sorter } = sorting;
			const { accepted, rejected } = sorter;
			const text = isPersonal ? personalText(sorter, kind.text) : (sorter.text ?? '');
			const head = { ...draft.head, text };
			kind.check(head, run.context);
			const { missingValues = 'stop' } = choices.recipientOptions;
			if (missingValues === 'stop' && !isPreview) checkMissing(sorter);
			if (accepted.length === 0 && !isPreview) throw nobodyLeft(run.context, sorter, itemIndexes);
			groups.push({ ...shared, head, choices, batchSize, itemIndexes, accepted, rejected });
			braces.addAll(sorter.braces);
		} catch (error) {
			output.push(run.failed(itemIndexes, error));
		}
	}
	braces.tell(run.context);
	// All parameters are checked before the first request, and every dispatch is prepared before the first one is created.
	for (const group of groups) {
		try {
			ready.push({ group, prepared: await prepare(group) });
		} catch (error) {
			output.push(run.failed(group.itemIndexes, error));
		}
	}
	const losses = new Losses();
	const done: unknown[] = [];
	for (const { group, prepared } of ready) {
		try {
			const result = await work(group, prepared);
			for (const item of result.items) output.push(item);
			losses.add(group, result);
			if (result.dispatchId !== undefined) done.push(result.dispatchId);
		} catch (error) {
			try {
				output.push(run.failed(group.itemIndexes, error));
			} catch (failure) {
				throw withDone(failure, done);
			}
		}
	}
	losses.hint(run.context, makesDispatches);
	return output.sort((a, b) => firstItemOf(a) - firstItemOf(b));
};
