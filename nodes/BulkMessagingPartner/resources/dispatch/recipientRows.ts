import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { DispatchId, RejectedRecipient } from './plan/rows';

/** The columns before and after the input item's own fields: what people look for comes first, IDs come last. */
const firstColumns = ['destination', 'outcome', 'reason', 'reasonCode'] as const;
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
}

const isFilled = (value: unknown) => value !== undefined && value !== '';

/** A value that some recipients don't have is empty there: n8n's table would show "undefined". */
const pickColumns = (
	columns: RecipientColumns,
	names: ReadonlyArray<keyof RecipientColumns>,
): IDataObject => Object.fromEntries(names.map((name) => [name, columns[name] ?? '']));

/**
 * One item per recipient, in the order of the input items, each linked to its input item. The input item's fields are kept, so
 * that the next node can write back to the CRM, or Send can follow Preview. A column replaces an input field of the same name.
 */
export const toRecipientItems = (
	states: readonly RecipientState[],
	ownFields: (itemIndex: number) => IDataObject,
	/** In a preview, input fields replace columns of the same name, because the next node reads them again. */
	isPreview = false,
): INodeExecutionData[] => {
	const names = new Set(states.flatMap(({ itemIndex }) => Object.keys(ownFields(itemIndex))));
	const noFields = Object.fromEntries([...names].map((name) => [name, '']));
	const isUsed = (name: keyof RecipientColumns) =>
		states.some(({ columns }) => isFilled(columns[name]));
	const before = firstColumns.filter(isUsed);
	const after = lastColumns.filter(isUsed);
	return [...states]
		.sort((a, b) => a.position - b.position)
		.map(({ itemIndex, columns }) => {
			const first = pickColumns(columns, before);
			const given = ownFields(itemIndex);
			const last = pickColumns(columns, after);
			const json = {
				...first,
				...noFields,
				...given,
				...last,
				...first,
				...(isPreview && given),
			};
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
