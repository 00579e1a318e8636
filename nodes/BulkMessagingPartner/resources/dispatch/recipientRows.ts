import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from '../../../../vendor/zod';
import type { RejectedRecipient } from './plan/recipient';

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
	dispatchId?: number;
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
			const own = { ...noFields, ...ownFields(itemIndex) };
			const last = pickColumns(columns, after);
			const json = { ...first, ...own, ...last, ...(isPreview ? own : first) };
			return { json, pairedItem: { item: itemIndex } };
		});
};

/** A phone number as it was given, even if it is unreadable. */
const toShown = (phone: unknown): string =>
	typeof phone === 'object' ? JSON.stringify(phone) : String(phone ?? '');

export const toRejectedState = (
	{ itemIndex, position, phone, reason, detail }: RejectedRecipient,
	dispatchId?: number,
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

/** Everybody once: `recipients` is the sum of all others. The last two are there only if they aren't 0. */
interface People {
	recipients: number;
	reached: number;
	onTheWay: number;
	failed: number;
	leftOut: number;
	notStarted?: number;
	unknown?: number;
}

const groups: Readonly<Record<string, Exclude<keyof People, 'recipients'>>> = {
	delivered: 'reached',
	read: 'reached',
	notRead: 'reached',
	accepted: 'onTheWay',
	sent: 'onTheWay',
	pending: 'onTheWay',
	wouldBeSent: 'onTheWay',
	failed: 'failed',
	skipped: 'leftOut',
	notStarted: 'notStarted',
};

export const NotReached = z.object({
	destination: z.string(),
	outcome: z.string(),
	reason: z.string(),
	reasonCode: z.string(),
});

/** How many names of people who weren't reached the summary contains. */
export const mostNotReached = 100;

/** The people of one dispatch, in numbers and, for those who weren't reached, by name. */
export interface Counted {
	people: People;
	/** How many weren't reached, by reason code. */
	reasons: Record<string, number>;
	notReached: IDataObject[];
}

export const countPeople = (states: readonly RecipientState[]): Counted => {
	const people: People = { recipients: 0, reached: 0, onTheWay: 0, failed: 0, leftOut: 0 };
	const reasons: Record<string, number> = {};
	const lost: RecipientState[] = [];
	for (const state of states) {
		const { outcome, reasonCode = 'notDelivered' } = state.columns;
		const group = groups[outcome] ?? 'unknown';
		people.recipients++;
		people[group] = (people[group] ?? 0) + 1;
		if (group !== 'failed' && group !== 'leftOut') continue;
		reasons[reasonCode] = (reasons[reasonCode] ?? 0) + 1;
		lost.push(state);
	}
	const notReached = lost
		.sort((a, b) => a.position - b.position)
		.slice(0, mostNotReached)
		.map(({ itemIndex, columns: { destination, outcome, reason, reasonCode } }) => ({
			destination,
			outcome,
			reason,
			reasonCode,
			item: itemIndex + 1,
		}));
	return { people, reasons, notReached };
};

/** For the summary: nothing that is empty. */
export const toPeopleFields = ({ people, reasons, notReached }: Counted): IDataObject => ({
	...people,
	...(notReached.length > 0 && { reasons, notReached }),
});
