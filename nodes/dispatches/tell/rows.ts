import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { textsIn } from '../../../core/json';
import type { DispatchId, RejectedRecipient } from '../plan/rows';

/** The columns before and after the input item's own fields: what people look for comes first, IDs come last. */
const firstColumns = ['destination', 'outcome', 'reason', 'reasonCode'] as const;
const outcomeColumns: ReadonlySet<string> = new Set(firstColumns);
const lastColumns = [
	'text',
	'parts',
	'price',
	'sender',
	'status',
	'messageUuid',
	'dispatchId',
] as const;

/** All columns of a row, for docs/outputs.md. */
export const recipientColumns = [...firstColumns, ...lastColumns] as const;

/** The result for one recipient. A column that doesn't apply is left out. */
interface RecipientColumns {
	destination: string;
	outcome: string;
	reason?: string;
	reasonCode?: string;
	text?: string;
	parts?: number;
	price?: number;
	sender?: string;
	status?: string;
	messageUuid?: string;
	dispatchId?: DispatchId;
}

export interface RecipientState {
	itemIndex: number;
	/** The index among all recipients. */
	position: number;
	columns: RecipientColumns;
	/** How many recipients it stands for, if it isn't only this one: a summary needs no row for each. */
	count?: number;
}

const isFilled = (value: unknown) => value !== undefined && value !== '';

const numbers: ReadonlySet<string> = new Set(['parts', 'price']);

/**
 * A text that some recipients don't have is empty there: n8n's table would show "undefined". Without a message there are no parts
 * and there is no price; of a message, a number that isn't known stays missing.
 */
const pickColumns = (
	columns: RecipientColumns,
	names: ReadonlyArray<keyof RecipientColumns>,
): IDataObject =>
	Object.fromEntries(
		names.flatMap((name) => {
			const noNumber = columns.messageUuid === undefined ? 0 : undefined;
			const value = columns[name] ?? (numbers.has(name) ? noNumber : '');
			return value === undefined ? [] : [[name, value]];
		}),
	);

/** Whether one of the texts reads an item's field: as an expression, or as a placeholder. */
const isRead = (texts: readonly string[], name: string): boolean =>
	texts.some((text) =>
		text.startsWith('=') ? text.split(/\W+/).includes(name) : text.includes(`{${name}`),
	);

/**
 * One item per recipient, in the order of the input items, each linked to its input item. The input item's fields are kept, so
 * that the next node can write back to the CRM, or Send can follow Preview. A column replaces an input field of the same name,
 * unless it is empty and not about the outcome.
 */
export const toRecipientItems = (
	states: readonly RecipientState[],
	ownFields: (itemIndex: number) => IDataObject,
	/** Of a preview: an input field that they read isn't replaced, because Send reads it again if it follows. */
	parameters: INodeParameters = {},
): INodeExecutionData[] => {
	const names = new Set(states.flatMap(({ itemIndex }) => Object.keys(ownFields(itemIndex))));
	const noFields = Object.fromEntries([...names].map((name) => [name, '']));
	const isUsed = (name: keyof RecipientColumns) =>
		states.some(({ columns }) => isFilled(columns[name]));
	// An earlier run's reason must not stay beside the new outcome.
	const before = firstColumns.filter((name) => isUsed(name) || names.has(name));
	const after = lastColumns.filter(isUsed);
	const texts = textsIn(parameters);
	const shared = recipientColumns.filter((name) => names.has(name));
	const isKept = (name: keyof RecipientColumns, value: unknown, given: IDataObject) =>
		name in given &&
		((!isFilled(value) && !outcomeColumns.has(name)) ||
			(texts.length > 0 && isRead([...texts, ...textsIn(given)], name)));
	return [...states]
		.sort((a, b) => a.position - b.position)
		.map(({ itemIndex, columns }) => {
			const first = pickColumns(columns, before);
			const given = ownFields(itemIndex);
			const last = pickColumns(columns, after);
			const kept = shared.filter((name) => isKept(name, columns[name], given));
			const own = Object.fromEntries(kept.map((name) => [name, given[name]]));
			const json = { ...first, ...noFields, ...given, ...last, ...first, ...own };
			return { json, pairedItem: { item: itemIndex } };
		});
};

/** A phone number as it was given, even if it is unreadable. */
const toShown = (phone: unknown): string =>
	typeof phone === 'object' ? JSON.stringify(phone) : String(phone ?? '');

export const toRejectedState = (
	{ itemIndex, position, phone, reason, detail }: RejectedRecipient,
	dispatchId?: DispatchId,
): RecipientState => ({
	itemIndex,
	position,
	columns: {
		destination: toShown(phone),
		outcome: 'skipped',
		reason: detail,
		reasonCode: reason,
		dispatchId,
	},
});
