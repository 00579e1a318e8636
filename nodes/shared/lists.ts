import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Endpoint, Fields, Paging, RequestOf } from '../../core/contract/endpoint';
import { limitOf } from '../../core/engine/coerce';
import { UnfitValueError } from '../../core/engine/errors';
import { toItem } from '../../core/engine/items';
import type { Run } from '../../core/engine/operation';
import type { Param } from '../../core/engine/params';
import { visit } from '../../core/transport/list';
import type { ReplyEntry } from '../../core/transport/replyShape';
import { checkRequest } from '../../core/transport/send';

/** For lists that the service returns page by page. The engine reads `returnAll` and `limit`. */
export const returnAll = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
} as const satisfies Param;

export const limit = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
} as const satisfies Param;

export const simplifyParam = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
} as const satisfies Param;

/** An entry of a response as 'Simplify' wants it: with only these fields, or as it is. */
export const simplifiedTo =
	(fields: Fields) =>
	(entry: unknown, { simplify }: { simplify: boolean }): IDataObject =>
		toItem(entry, simplify ? fields : undefined);

/** A collection of fields that a user adds one by one, without the fields. */
const collectionWith =
	<const Texts extends Pick<Param, 'displayName' | 'name' | 'placeholder' | 'description'>>(
		texts: Texts,
	) =>
	<const Options extends readonly Param[]>(options: Options) =>
		({ ...texts, type: 'collection', default: {}, options }) as const;

export const filterCollection = collectionWith({
	displayName: 'Filters',
	name: 'filters',
	placeholder: 'Add Filter',
});

/** Fields to change. The others stay as they are. */
export const updateCollection = collectionWith({
	displayName: 'Update Fields',
	name: 'updateFields',
	placeholder: 'Add Field',
	description: 'Only the fields you add here are changed',
});

/** A request without fields is a mistake, and the service may read it as a request to clear all fields. */
export const requireSome = <T extends object>(fields: T): T => {
	if (Object.values(fields).some((value) => value !== undefined)) return fields;
	throw new UnfitValueError('Update Fields', 'is empty. Add at least one field to change');
};

/** Fields that few people need. */
export const fieldCollection = collectionWith({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	placeholder: 'Add Field',
});

const optionCollection = collectionWith({
	displayName: 'Options',
	name: 'options',
	placeholder: 'Add Option',
});

/** Everything that has a good default is in one collection, in the order of the labels. */
export const optionsWith = <const Options extends readonly Param[]>(options: Options) =>
	optionCollection(
		// Sorting changes nothing in the type of the values.
		[...options].sort((a, b) =>
			a.displayName.localeCompare(b.displayName),
		) as readonly Param[] as Options,
	);

/** A hint about a value from an expression that the list doesn't offer; empty if it does. */
export const unlistedIn = (
	{ displayName, options = [] }: Param,
	value: string | undefined,
): string[] => {
	const offered = options.flatMap((option) => ('value' in option ? String(option.value) : []));
	if (value === undefined || offered.includes(value)) return [];
	const usual = offered.filter((one) => one !== '').join(', ');
	return [`'${displayName}' is usually one of ${usual}. The service may reject "${value}".`];
};

export const oneOrMore = 'One or more, separated by commas';
/** For a filter that the service reads once. */
export const oneByOne = `${oneOrMore}, each requested separately`;

/** Splits a field with values separated by commas; `undefined` if there are none. A comma inside a value is written as `\,`. */
export const splitList = (text: string | undefined): string[] | undefined => {
	const entries = (text ?? '')
		.split(/(?<!\\),/)
		.map((entry) => entry.trim().replaceAll('\\,', ','))
		.filter((entry) => entry !== '');
	return entries.length > 0 ? entries : undefined;
};

/** A request for every combination of values of filters that the service reads once. */
export const requestsOf = <Query extends object>(
	shared: Query,
	readOnce: Readonly<Record<string, string | undefined>>,
): Array<{ query: Query }> =>
	Object.entries(readOnce)
		.reduce(
			(queries, [name, text]) => {
				const values = [...new Set(splitList(text))];
				return values.length === 0
					? queries
					: queries.flatMap((query) => values.map((value) => ({ ...query, [name]: value })));
			},
			[shared],
		)
		.map((query) => ({ query }));

/** The entries of a list that fit one of several requests, each once, for an operation that lists them. */
export const listingOf = <E extends Endpoint & { readonly paging: Paging }, Values>(
	endpoint: E,
	toRequests: (values: Values) => ReadonlyArray<RequestOf<E>>,
	toShown: (entry: unknown, values: { simplify: boolean }) => IDataObject,
	/** Called if the service lists fewer entries than there are. */
	onCut?: (context: IExecuteFunctions, values: Values, listable: number, total: number) => void,
) => {
	type Listed = Values & { returnAll: boolean; limit: number; simplify: boolean };
	return {
		restsOn: endpoint,
		effect: 'reads' as const,
		check: (values: Listed) => {
			limitOf(values);
			for (const request of toRequests(values)) checkRequest(endpoint, request);
		},
		each: async (values: Listed, { context }: Pick<Run<unknown>, 'context'>) => {
			const most = limitOf(values);
			const found = new Map<unknown, ReplyEntry>();
			const isEnough = () => found.size >= most;
			for (const request of toRequests(values)) {
				if (isEnough()) break;
				const add = (entry: ReplyEntry) => found.set(entry[endpoint.paging.key] ?? entry, entry);
				await visit(context, endpoint, request, add, {
					limit: most,
					until: isEnough,
					onCut: onCut && ((listable, total) => onCut(context, values, listable, total)),
				});
			}
			return [...found.values()].map((entry) => toShown(entry, values));
		},
	};
};
