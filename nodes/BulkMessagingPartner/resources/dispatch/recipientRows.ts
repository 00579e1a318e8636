import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { RejectedRecipient } from './plan/recipient';

/** What became of one recipient. The same columns in every row, so that a table has no gaps. */
interface RecipientColumns {
	outcome: string;
	reason: string;
	reasonCode: string;
	dispatchId: number | null;
	destination: string;
	accepted: boolean;
	status: string;
	messageUuid: string;
	text: string;
	parts: number | null;
	price: number | null;
	sender: string;
}

const emptyRow: RecipientColumns = {
	outcome: '',
	reason: '',
	reasonCode: '',
	dispatchId: null,
	destination: '',
	accepted: false,
	status: '',
	messageUuid: '',
	text: '',
	parts: null,
	price: null,
	sender: '',
};

export interface RecipientState {
	itemIndex: number;
	/** Its place among all recipients. */
	position: number;
	columns: Partial<RecipientColumns>;
}

/**
 * One item per recipient, in the order of the items, each linked to its own. The item's own fields stay, so that the next node
 * can write back to the CRM, or Send can follow Preview; a field with the name of a column is replaced.
 */
export const toRecipientItems = (
	states: readonly RecipientState[],
	ownFields: (itemIndex: number) => IDataObject,
	/** Own fields win: the next node reads them again. */
	isPreview = false,
): INodeExecutionData[] => {
	const names = new Set(states.flatMap(({ itemIndex }) => Object.keys(ownFields(itemIndex))));
	const noFields = Object.fromEntries([...names].map((name) => [name, '']));
	return [...states]
		.sort((a, b) => a.position - b.position)
		.map(({ itemIndex, columns }) => {
			const row = { ...emptyRow, ...columns };
			const { outcome, reason } = row;
			// First what people look for, then who it is about.
			const own = { ...noFields, ...ownFields(itemIndex) };
			const first = { outcome, reason };
			const json = { ...first, ...own, ...row, ...(isPreview ? own : first) };
			return { json, pairedItem: { item: itemIndex } };
		});
};

/** A number that could not be read, as it was given. */
const toShown = (phone: unknown): string =>
	typeof phone === 'object' ? JSON.stringify(phone) : String(phone ?? '');

export const toRejectedState = (
	{ itemIndex, position, phone, reason, detail }: RejectedRecipient,
	dispatchId: number | null = null,
): RecipientState => ({
	itemIndex,
	position,
	columns: {
		dispatchId,
		destination: toShown(phone),
		outcome: 'notSent',
		reason: detail,
		reasonCode: reason,
	},
});
