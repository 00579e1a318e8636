import { sortRecipients, type Row, type Sorted } from '../../../../core/dispatch/hygiene';
import { UnfitValueError } from '../../../../core/engine/coerce';
import type { Run } from '../../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import { hygieneParams } from './hygiene';
import { itemRowReader, listedRows, listParams, sourceParam } from './rows';

/** Items that make one dispatch, and who of them can get it. */
export interface Group<Head> extends Sorted {
	head: Head;
	hygiene: ValuesOf<typeof hygieneParams>;
	/** Every input item the group comes from, in order. */
	itemIndexes: number[];
}

/** Stops before anything is sent, when that is what the user wants of missing values. */
const checkMissing = ({ rejected }: Sorted, missingValues: string) => {
	const missing = rejected.filter(({ reason }) => reason === 'missingValue');
	const [first] = missing;
	if (first === undefined || missingValues !== 'stop') return;
	const others = missing.length === 1 ? '' : `, and so it is for ${missing.length - 1} more`;
	throw new UnfitValueError(
		'Substitutions',
		`lack a value in item ${first.itemIndex}: ${first.detail}${others}. Add the value, or choose under "If a Placeholder Has No Value" what to do`,
	);
};

/**
 * Reads all items. From input items, those that agree on the head share a dispatch; otherwise every item is a dispatch
 * with the recipients it lists.
 */
export const readGroups = <Ps extends readonly Param[]>(
	run: Run<unknown>,
	headParams: Ps,
	textOf: (head: ValuesOf<Ps>) => string | undefined,
): Array<Group<ValuesOf<Ps>>> => {
	const readHead = run.reader(headParams);
	const readHygiene = run.reader(hygieneParams);
	const { recipients: source } = run.reader([sourceParam] as const)(0);
	const readList = run.reader(listParams);
	const readRow = itemRowReader(run);

	const drafts = new Map<
		string,
		{ head: ValuesOf<Ps>; first: number; rows: Row[]; items: number[] }
	>();
	const keyOf = (head: ValuesOf<Ps>, itemIndex: number) => {
		if (source !== 'items') return String(itemIndex);
		return readHead.isConstant ? '' : JSON.stringify(head);
	};
	for (let itemIndex = 0; itemIndex < run.items.length; itemIndex++) {
		const head = readHead(itemIndex);
		const key = keyOf(head, itemIndex);
		const draft = drafts.get(key) ?? { head, first: itemIndex, rows: [], items: [] };
		drafts.set(key, draft);
		draft.items.push(itemIndex);
		if (source === 'items') draft.rows.push(readRow(itemIndex));
		else draft.rows = listedRows(source, readList(itemIndex), itemIndex);
	}
	return [...drafts.values()].map(({ head, first, rows, items }) => {
		const hygiene = readHygiene(first);
		const { duplicates = 'first', missingValues = 'stop' } = hygiene.recipientOptions;
		const sorted = sortRecipients(rows, {
			text: textOf(head),
			defaultCountry: hygiene.defaultCountry,
			duplicates,
			missingValues,
		});
		checkMissing(sorted, missingValues);
		return { head, hygiene, itemIndexes: items, ...sorted };
	});
};
