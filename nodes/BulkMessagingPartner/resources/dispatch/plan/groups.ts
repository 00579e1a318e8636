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

/** Items that make one dispatch, and who of them can get it. */
export interface RecipientGroup<Head> extends Sorted {
	head: Head;
	/** What the user chose about its recipients and about the result. */
	choices: RecipientChoices;
	batchSize: number;
	/** Every input item the group comes from, in order. */
	itemIndexes: number[];
	source: RecipientSource;
	/** The fields of the input item that a recipient is; none where an item lists several. */
	ownFields: (itemIndex: number) => IDataObject;
}

export type HeadOf<Ps extends readonly Param[]> = ValuesOf<Ps> & { text: string };

/** What makes items one dispatch. */
export interface HeadKind<Ps extends readonly Param[]> {
	/** Items that agree on all of these belong together. */
	params: Ps;
	/** Items may differ in it: then each recipient's text travels with the recipient. */
	text: TextParam;
	/** Whether the recipients may join a dispatch that was created with another text. */
	mayHaveOtherText: (head: ValuesOf<Ps>) => boolean;
	/** What a field of JSON says instead of the fields of the screen. */
	replaced?: (head: ValuesOf<Ps>) => { head: object; text?: string };
	/** Throws when the service would refuse it whoever the recipients are. */
	check: (head: HeadOf<Ps>, context: IExecuteFunctions) => unknown;
}

const defaultBatchSize = 1000;

const toBatchSize = (size = defaultBatchSize): number => {
	if (Number.isInteger(size) && size >= 1) return size;
	throw new UnfitValueError('Batch Size', 'must be a whole number of at least 1');
};

/** Stops before anything is sent, when that is what the user wants of missing values. */
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

/** Results leave in the order of the items they come from, failures among them. */
const firstItemOf = ({ pairedItem }: INodeExecutionData): number => {
	const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof first === 'number' ? first : (first?.item ?? 0);
};

/** A dispatch while its items are read. Recipients are sorted at once: rows of very many items would be a lot to keep. */
interface Draft<Head> extends Pick<RecipientGroup<Head>, 'head' | 'itemIndexes'> {
	sorting:
		| (Pick<RecipientGroup<Head>, 'choices' | 'batchSize'> & { sorter: Sorter })
		| { error: unknown };
}
type Results = INodeExecutionData[];

/** What can't be read here fails the dispatch as a whole, not only the item that opened it. */
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
 * Reads all items. From input items, those that agree on the head share a dispatch, whatever their texts are; otherwise
 * every item is a dispatch with the recipients it lists. Items that cannot be read leave as failures.
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
	for (let itemIndex = 0; itemIndex < run.items.length; itemIndex++) {
		try {
			const given = readHead(itemIndex);
			const instead = replaced?.(given);
			const head = instead === undefined ? given : { ...given, ...instead.head };
			if (isPersonal && instead?.text !== undefined) {
				throw new UnfitValueError(
					additionalFields.displayName,
					`can't replace text while '${textParam.displayName}' contains an expression`,
				);
			}
			const text = isPersonal ? undefined : (instead?.text ?? readText(itemIndex).text);
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
			const draft = drafts.get(key) ?? {
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
			// Not earlier: an item that cannot be read belongs to no dispatch.
			draft.itemIndexes.push(itemIndex);
			drafts.set(key, draft);
		} catch (error) {
			failures.push(run.failed(itemIndex, error));
		}
	}
	const ownFields = (itemIndex: number) =>
		source === 'items' ? (run.items[itemIndex]?.json ?? {}) : {};
	return { drafts: [...drafts.values()], isPersonal, failures, ownFields, source };
};

/** The text of a dispatch whose items yield their own. A new dispatch needs one, even if each recipient has a custom text. */
const personalText = ({ text, accepted }: Sorter, { displayName, required }: TextParam): string => {
	if (text !== undefined) return text;
	if (required !== true && accepted.length > 0) return '';
	throw new UnfitValueError(displayName, 'is empty for every item. It is required');
};

export interface GroupResult {
	items: Results;
	/** How many recipients the service did not accept. */
	refused: number;
	/** They were refused because the dispatch was started before. */
	isClosed?: boolean;
	/** What was created or changed. */
	dispatchId?: number;
}

/** What was carried out before a failure: n8n drops the output of a node that failed, so only its error can say it. */
const tellDone = (failure: unknown, ids: readonly unknown[]): unknown => {
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

/** How the groups of a run become results. */
interface GroupWork<Head, Prepared> {
	/** For every group before the first one is worked on: whatever it throws stops the group before anything is sent. */
	prepare: (group: RecipientGroup<Head>) => Promise<Prepared>;
	work: (group: RecipientGroup<Head>, prepared: Prepared) => Promise<GroupResult>;
	/** A preview shows what is wrong instead of stopping. */
	isPreview?: boolean;
	/** Each group becomes a dispatch. */
	makesDispatches?: boolean;
}

/**
 * Checks every dispatch and sorts its recipients first, so that whatever stops it does so before anything is sent, then
 * works on one dispatch after another. A dispatch that fails leaves as one item that is linked to all of its items.
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
	// Everything that can be read is checked before the service is asked anything, and every dispatch before the first is created.
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
				throw tellDone(failure, done);
			}
		}
	}
	losses.hint(run.context, makesDispatches);
	return output.sort((a, b) => firstItemOf(a) - firstItemOf(b));
};
