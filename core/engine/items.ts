import type { IDataObject } from 'n8n-workflow';
import type { z } from '../../vendor/zod';
import { isRecord } from '../json';

/** One entry of a response as the JSON of an item; with `fields`, only these fields. */
export const toItem = (
	entry: unknown,
	fields?: z.ZodObject<z.ZodRawShape, z.UnknownKeysParam>,
): IDataObject => {
	// n8n items must be objects, so any other value is wrapped in one.
	if (!isRecord(entry)) return { reply: (entry ?? null) as IDataObject[string] };
	if (fields === undefined) return entry as IDataObject;
	return Object.fromEntries(
		Object.entries(entry).filter(([name]) => Object.hasOwn(fields.shape, name)),
	) as IDataObject;
};

/** A list becomes one item per entry, anything else one item. */
export const toItems = (reply: unknown): IDataObject[] =>
	Array.isArray(reply) ? reply.map((entry) => toItem(entry)) : [toItem(reply)];

/** The response, wrapped in an object if it has no fields. */
const answerOf = (answer: unknown): IDataObject =>
	isRecord(answer) && Object.keys(answer).length > 0
		? (answer as IDataObject)
		: { answer: (answer === undefined || answer === '' ? null : answer) as IDataObject[string] };

/** The item for a request that the service accepted with an empty response. */
const toAcceptedItem = (answer: unknown): IDataObject => ({
	...answerOf(answer),
	accepted: true,
});

/** The item for a request that the service accepted with a response that doesn't confirm the result. */
export const toUnconfirmedItem = (answer: unknown): IDataObject => ({
	...toAcceptedItem(answer),
	confirmed: false,
});
