import { DispatchCallback, MessageCallback } from '../contract/callbacks';
import { z } from '../../vendor/zod';
import { isRecord, toSafeData } from '../json';

/** Which of the two interfaces the callback belongs to: dispatches of the partner API, or single messages. */
export type Source = 'dispatch' | 'message';

/** An element of a callback that the contract knows. */
export interface CallbackEvent {
	event: string;
	source: Source;
	raw: Record<string, unknown>;
}
/** Something in a callback that cannot be understood. It is handed on as it came. */
export interface Unrecognised {
	event: 'unknown';
	raw: unknown;
}
export type CallbackElement = CallbackEvent | Unrecognised;

export const isEvent = (element: CallbackElement): element is CallbackEvent => 'source' in element;

type Kind = 'string' | 'number' | 'object';
type Requirement = readonly [name: string, kind: Kind];

const kindOf = (field: z.ZodTypeAny): Kind => {
	if (field instanceof z.ZodEffects) return kindOf(field.innerType() as z.ZodTypeAny);
	if (field instanceof z.ZodNumber) return 'number';
	return field instanceof z.ZodObject ? 'object' : 'string';
};

/**
 * What an element must have to be understood: the fields the contract requires, by their kind alone. An optional field of
 * another type, or a time written in another way, is no reason to lose the message behind it.
 */
const requirementsOf = (callback: z.AnyZodObject): Requirement[] =>
	Object.entries(callback.shape as z.ZodRawShape)
		.filter(([, field]) => !field.isOptional() && !(field instanceof z.ZodLiteral))
		.map(([name, field]) => [name, kindOf(field)]);

const requirements = (options: Iterable<[unknown, z.AnyZodObject]>) =>
	new Map([...options].map(([event, callback]) => [event, requirementsOf(callback)]));

const known: Record<
	Source,
	{ eventName: string; idName: string; events: Map<unknown, Requirement[]> }
> = {
	message: {
		eventName: 'callback_event',
		idName: 'message_uuid',
		events: requirements(MessageCallback.optionsMap),
	},
	dispatch: {
		eventName: 'event',
		idName: 'messageUuid',
		events: requirements(DispatchCallback.optionsMap),
	},
};
const sources = ['message', 'dispatch'] as const;

const isGiven = (value: unknown, kind: Kind) =>
	kind === 'object' ? isRecord(value) : typeof value === kind && value !== '';

const recognise = (raw: unknown): CallbackElement => {
	if (!isRecord(raw)) return { event: 'unknown', raw };
	for (const source of sources) {
		const { eventName, events } = known[source];
		const event = raw[eventName];
		const required = events.get(event);
		if (required?.every(([name, kind]) => isGiven(raw[name], kind)) === true) {
			return { event: event as string, source, raw };
		}
	}
	return { event: 'unknown', raw };
};

/** It names an event or a message the way the service does. */
const resemblesCallback = (value: unknown): boolean =>
	isRecord(value) &&
	sources.some((source) =>
		[known[source].eventName, known[source].idName].some((name) => Object.hasOwn(value, name)),
	);

/**
 * The elements of a callback in the order they came; nothing when the body is no callback at all. The contract has one
 * camelCase object per dispatch callback and an array of snake_case objects for messages; either form is taken for both.
 */
export const parseCallbacks = (body: unknown): CallbackElement[] | undefined => {
	const elements: unknown[] = Array.isArray(body) ? body : [body];
	if (elements.length > 0 && !elements.some(resemblesCallback)) return undefined;
	return elements.map((element) => recognise(toSafeData(element)));
};
