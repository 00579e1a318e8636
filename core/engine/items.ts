import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Endpoint, Fields, ReplyOf } from '../contract/endpoint';
import { isRecord } from '../json';
import type { NodeError } from './errors';

/** One entry of a response as the JSON of an item; with `fields`, only these fields, in their order. */
export const toItem = (entry: unknown, fields?: Fields): IDataObject => {
	// n8n items must be objects, so any other value is wrapped in one.
	if (!isRecord(entry)) return { reply: (entry ?? null) as IDataObject[string] };
	if (fields === undefined) return entry as IDataObject;
	const names = Object.keys(fields.shape).filter((name) => Object.hasOwn(entry, name));
	return Object.fromEntries(names.map((name) => [name, entry[name]])) as IDataObject;
};

/** A list becomes one item per entry, anything else one item. */
export const toItems = (reply: unknown): IDataObject[] =>
	Array.isArray(reply) ? reply.map((entry) => toItem(entry)) : [toItem(reply)];

/** An empty value of the same type, for fields whose meaning the nodes define. */
export const emptyLike = (example: unknown): IDataObject[string] => {
	if (Array.isArray(example)) return [];
	if (isRecord(example)) return {};
	if (typeof example === 'number') return 0;
	return typeof example === 'boolean' ? false : '';
};

/** Only text can be empty: 0 would be a statement, and an IF node fails if it compares a text with a number. */
const emptyText = (example: unknown) => (typeof example === 'string' ? '' : undefined);

/**
 * Gives items of one kind the same fields in the same order, because n8n's table shows "undefined" where one is missing. A field
 * that doesn't apply is left out if no item has it, and is empty if others have it.
 */
export const alignColumns = (
	items: readonly INodeExecutionData[],
	toEmpty: (example: unknown) => IDataObject[string] = emptyText,
): void => {
	const names: string[] = [];
	const empty = new Map<string, IDataObject[string]>();
	for (const { json } of items) {
		let place = 0;
		for (const [name, value] of Object.entries(json)) {
			const at = names.indexOf(name);
			if (at < 0) names.splice(place, 0, name);
			place = at < 0 ? place + 1 : at + 1;
			if (value !== undefined && value !== null && !empty.has(name))
				empty.set(name, toEmpty(value));
		}
	}
	const isAligned = (json: IDataObject) => {
		const own = Object.keys(json);
		const isInPlace = (name: string, place: number) =>
			own[place] === name && json[name] !== undefined && json[name] !== null;
		return own.length === names.length && names.every(isInPlace);
	};
	for (const item of items) {
		if (isAligned(item.json)) continue;
		const fields = new Map(Object.entries(item.json));
		const columns = names.map((name) => [name, fields.get(name) ?? empty.get(name)] as const);
		item.json = Object.fromEntries(columns.filter(([, value]) => value !== undefined));
	}
};

const unconfirmed = new WeakSet<IDataObject>();

/** Whether `toUnconfirmedItem` made it. */
export const isUnconfirmed = (entry: IDataObject): boolean => unconfirmed.has(entry);

/**
 * The item for a request that the service accepted with a response that is empty or doesn't confirm the result. The user gets a
 * hint about it.
 */
export const toUnconfirmedItem = (answer: unknown): IDataObject => {
	const isEmpty = answer === undefined || answer === '';
	const hasFields = isRecord(answer) && Object.keys(answer).length > 0;
	const shown = hasFields ? answer : { answer: isEmpty ? null : answer };
	const entry = { ...(shown as IDataObject), accepted: true, confirmed: false };
	unconfirmed.add(entry);
	return entry;
};

export const linkTo = (itemIndexes: readonly number[]): INodeExecutionData['pairedItem'] => {
	const linked = itemIndexes.map((item) => ({ item }));
	return linked.length === 1 ? linked[0] : linked;
};

/** The fields by which the results of a node's operations say what became of an item. Those in `always` are in each of them. */
export interface OutcomeFields {
	readonly always: readonly string[];
	readonly others: readonly string[];
}

/** If the input tells the outcome of an earlier operation, that must not pass for the outcome of this one. */
const withoutOutcome = (input: IDataObject = {}, { always, others }: OutcomeFields): IDataObject =>
	always.every((name) => name in input)
		? Object.fromEntries(
				Object.entries(input).filter(([name]) => ![...always, ...others].includes(name)),
			)
		: input;

/**
 * The error as one text, beside the fields of the item it is about. n8n would remove these fields if the item had an `error` of
 * its own. For the error output it recognizes an item whose only field is `error`, and adds the input's fields itself.
 */
export const toErrorItem = (
	context: IExecuteFunctions,
	itemIndexes: readonly number[],
	{ message, description }: NodeError,
	outcomeFields: OutcomeFields,
): INodeExecutionData => {
	const [first = 0, ...more] = itemIndexes;
	const isAlone = more.length > 0 || context.getNode().onError === 'continueErrorOutput';
	const error = description ? `${message.replace(/\.$/, '')}. ${description}` : message;
	return {
		json: {
			...(isAlone ? {} : withoutOutcome(context.getInputData()[first]?.json, outcomeFields)),
			error,
		},
		pairedItem: linkTo(itemIndexes),
	};
};

/** For operations that change something: whether the response has the known shape and confirms the change. */
export const isConfirmed = <E extends Endpoint>(
	{ reply: schema }: E,
	reply: ReplyOf<E>,
	confirms: (reply: ReplyOf<E>) => boolean = () => true,
): boolean => schema.safeParse(reply).success && confirms(reply);
