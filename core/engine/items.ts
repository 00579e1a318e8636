import type { IDataObject } from 'n8n-workflow';
import type { z } from '../../vendor/zod';
import { isRecord } from '../json';

/** One entry of a reply as the json of an item; with `fields`, only those it names. */
export const toItem = (
	entry: unknown,
	fields?: z.ZodObject<z.ZodRawShape, z.UnknownKeysParam>,
): IDataObject => {
	// An item of n8n is an object: anything else a service may answer is put into one.
	if (!isRecord(entry)) return { reply: (entry ?? null) as IDataObject[string] };
	if (fields === undefined) return entry as IDataObject;
	return Object.fromEntries(
		Object.entries(entry).filter(([name]) => Object.hasOwn(fields.shape, name)),
	) as IDataObject;
};

/** A list becomes one item per entry, anything else one item. */
export const toItems = (reply: unknown): IDataObject[] =>
	Array.isArray(reply) ? reply.map((entry) => toItem(entry)) : [toItem(reply)];

/** The answer by itself, where it has no fields to show. */
const answerOf = (answer: unknown): IDataObject =>
	isRecord(answer) && Object.keys(answer).length > 0
		? (answer as IDataObject)
		: { answer: (answer === undefined || answer === '' ? null : answer) as IDataObject[string] };

/** A request that the service accepted with an answer that has no content, which is all that can be said about it. */
export const toAcceptedItem = (answer: unknown): IDataObject => ({
	...answerOf(answer),
	accepted: true,
});

/** A request that the service accepted with an answer that does not say what came of it. */
export const toUnconfirmedItem = (answer: unknown): IDataObject => ({
	...toAcceptedItem(answer),
	confirmed: false,
});
