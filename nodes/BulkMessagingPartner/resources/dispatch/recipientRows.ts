import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { RejectedRecipient } from './plan/recipient';

/** The result for one recipient. Every row has the same columns, so that a table has no gaps. */
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
	/** The index among all recipients. */
	position: number;
	columns: Partial<RecipientColumns>;
}

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
	return [...states]
		.sort((a, b) => a.position - b.position)
		.map(({ itemIndex, columns }) => {
			const row = { ...emptyRow, ...columns };
			const { outcome, reason } = row;
			// The most important columns come first, then the input fields that identify the recipient.
			const own = { ...noFields, ...ownFields(itemIndex) };
			const first = { outcome, reason };
			const json = { ...first, ...own, ...row, ...(isPreview ? own : first) };
			return { json, pairedItem: { item: itemIndex } };
		});
};

/** A phone number as it was given, even if it is unreadable. */
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
