import type { Endpoint, Paging } from '../../core/contract/endpoint';
import { z } from '../../vendor/zod';

/*
 * The tests of this folder transcribe the tables of the service's interface specification by hand and hold the
 * schemas of core/contract against them. An expectation is read from the specification, never from core/contract.
 */

/** A type of the specification: how a schema of it is called, and values it has to take and to refuse. */
export interface Type {
	/** What `kindOf` says of a schema of this type; left out where the specification shows no type. */
	readonly kind?: string;
	/** The first one is used in examples. */
	readonly good: readonly unknown[];
	readonly bad: readonly unknown[];
	readonly item?: Type;
	readonly fields?: Table;
	/** Whether `fields` are all fields there are. */
	readonly complete?: boolean;
}

/**
 * - `nullable`: always there, may be null.
 * - `awaited`: a reply field that cannot have a value yet, or has none by nature: may be missing or null.
 * - `unsaid`: the specification names the field and does not say whether it is always there.
 */
type Presence = 'required' | 'optional' | 'nullable' | 'awaited' | 'unsaid';
interface Field {
	readonly presence: Presence;
	readonly type: Type;
}
export type Table = Readonly<Record<string, Field>>;

const field =
	(presence: Presence) =>
	(type: Type): Field => ({ presence, type });
export const required = field('required');
export const optional = field('optional');
export const nullable = field('nullable');
export const awaited = field('awaited');
export const unsaid = field('unsaid');

export const int: Type = { kind: 'int', good: [1, 2_147_483_647], bad: ['1', 1.5, true, {}, []] };
export const double: Type = { kind: 'double', good: [12.5, 100, 0], bad: ['12.5', true, {}, []] };
export const bool: Type = { kind: 'bool', good: [true, false], bad: ['true', 1, {}, []] };
/** The long one: the specification gives no length unless a limit says so. */
export const string: Type = {
	kind: 'string',
	good: ['text', 'Привет, {name}! "<&>" 👋', 'x'.repeat(20_000)],
	bad: [1, true, {}, ['text']],
};
/** ISO 8601 in the UTC `Z` form or with an offset, of a day that exists. The good ones are the same moment. */
export const datetime: Type = {
	kind: 'string',
	good: [
		'2026-03-01T10:00:00Z',
		'2026-03-01T13:00:00+03:00',
		'2026-03-01T05:30:00-04:30',
		'2026-03-01T10:00:00.000Z',
	],
	bad: [
		1_772_359_200,
		'tomorrow',
		'',
		'2026-03-01',
		'2026-03-01T10:00:00',
		'01.03.2026 10:00',
		'20260301T100000',
		'2026-13-01T10:00:00Z',
		'2026-02-29T10:00:00+03:00',
		'2026-02-30T10:00:00Z',
		'2026-04-31T10:00:00Z',
		'2026-03-01T25:00:00Z',
		'2026-03-01T10:60:00Z',
	],
};

const namedSet = (name: string, values: readonly string[]) =>
	`${name} ${[...values].sort().join(' | ')}`;
export const oneOf = (...values: string[]): Type => ({
	kind: namedSet('one of', values),
	good: values,
	bad: ['NOT_LISTED', '', 1, true, {}, []],
});
/** A set the service may extend ("and others"): an unlisted value passes. */
export const openSet = (...values: string[]): Type => ({
	kind: namedSet('open set', values),
	good: [...values, 'NOT_LISTED'],
	bad: [1, true, {}, []],
});
export const exactly = (value: string): Type => ({
	kind: `exactly ${value}`,
	good: [value],
	bad: ['NOT_LISTED', '', 1, true, {}, []],
});
export const listOf = (item: Type): Type => ({
	kind: item.kind === undefined ? undefined : `list of ${item.kind}`,
	good: [[item.good[0]], [...item.good]],
	bad: [...item.bad.map((value) => [value]), 'text', 1, true, {}],
	item,
});
export const mapOf = (good: readonly unknown[], bad: readonly unknown[]): Type => ({
	kind: 'map',
	good,
	bad: [...bad, 'text', 1, true],
});

const exampleOf = (type: Type) => type.good[0];
const exampleOfTable = (table: Table, isIncluded: (field: Field) => boolean) =>
	Object.fromEntries(
		Object.entries(table)
			.filter(([, each]) => isIncluded(each))
			.map(([name, { type }]) => [name, exampleOf(type)]),
	);
/** The first example has every field, the second one only those that must be there. */
const objectOf = (fields: Table, complete: boolean): Type => ({
	kind: 'object',
	good: [
		exampleOfTable(fields, () => true),
		exampleOfTable(fields, ({ presence }) => !['optional', 'awaited'].includes(presence)),
	],
	bad: ['text', 1, true, []],
	fields,
	complete,
});
export const objectWith = (fields: Table) => objectOf(fields, true);
/** An object of which the specification names only some fields. */
export const objectWithSome = (fields: Table) => objectOf(fields, false);
export const page = (item: Type) =>
	objectWith({
		page: required(int),
		perPage: required(int),
		total: required(int),
		items: required(listOf(item)),
	});

/** A type with a limit: values inside it pass, values outside it do not. */
export const limited = (
	type: Type,
	limit: { inside: readonly unknown[]; outside: readonly unknown[] },
): Type => ({ ...type, good: limit.inside, bad: [...type.bad, ...limit.outside] });
/** A field whose type the specification does not show. */
export const unshown = (...good: readonly unknown[]): Type => ({ good, bad: [] });

type Path = ReadonlyArray<string | number>;
interface Place {
	readonly label: string;
	readonly path: Path;
}

/** Every field of a type, at any depth; the first item stands for all items of a list. */
const fieldsIn = (type: Type, { label, path }: Place): Array<Place & Field> => {
	if (type.item !== undefined) {
		return fieldsIn(type.item, { label: `${label}[]`, path: [...path, 0] });
	}
	return Object.entries(type.fields ?? {}).flatMap(([name, each]) => {
		const place = { label: label === '' ? name : `${label}.${name}`, path: [...path, name] };
		return [{ ...place, ...each }, ...fieldsIn(each.type, place)];
	});
};
/** Every object of a type, at any depth, the outermost included. */
const objectsIn = (type: Type, place: Place): Array<Place & { fields: Table; type: Type }> => {
	if (type.item !== undefined) {
		return objectsIn(type.item, { label: `${place.label}[]`, path: [...place.path, 0] });
	}
	if (type.fields === undefined) return [];
	const inner = Object.entries(type.fields).flatMap(([name, each]) =>
		objectsIn(each.type, { label: `${place.label}.${name}`, path: [...place.path, name] }),
	);
	return [{ ...place, fields: type.fields, type }, ...inner];
};

const bare = (schema: z.ZodTypeAny): z.ZodTypeAny => {
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
		return bare(schema.unwrap() as z.ZodTypeAny);
	}
	return schema instanceof z.ZodEffects ? bare(schema.innerType() as z.ZodTypeAny) : schema;
};
const shapeOf = (schema: z.ZodTypeAny): z.ZodRawShape => {
	const inner = bare(schema);
	return inner instanceof z.ZodObject ? (inner.shape as z.ZodRawShape) : {};
};
const schemaAt = (schema: z.ZodTypeAny, path: Path): z.ZodTypeAny | undefined =>
	path.reduce<z.ZodTypeAny | undefined>((outer, step) => {
		if (outer === undefined) return undefined;
		const inner = bare(outer);
		if (inner instanceof z.ZodArray) return inner.element as z.ZodTypeAny;
		return shapeOf(inner)[step];
	}, schema);

/** What class of type a schema is, in the words of the notation above. */
const kindOf = (schema: z.ZodTypeAny): string => {
	const inner = bare(schema);
	if (inner instanceof z.ZodString) {
		const { known } = inner as { known?: readonly string[] };
		return known === undefined ? 'string' : namedSet('open set', known);
	}
	if (inner instanceof z.ZodNumber) return inner.isInt ? 'int' : 'double';
	if (inner instanceof z.ZodBoolean) return 'bool';
	if (inner instanceof z.ZodEnum) return namedSet('one of', inner.options as string[]);
	if (inner instanceof z.ZodLiteral) return `exactly ${String(inner.value)}`;
	if (inner instanceof z.ZodArray) return `list of ${kindOf(inner.element as z.ZodTypeAny)}`;
	if (inner instanceof z.ZodRecord) return 'map';
	if (inner instanceof z.ZodObject) return 'object';
	if (inner instanceof z.ZodUnion) {
		return (inner.options as z.ZodTypeAny[]).map(kindOf).join(' or ');
	}
	return 'anything';
};

/**
 * - `request`: a body that refuses unlisted fields.
 * - `extensible request`: a body whose fields are not all shown, so unlisted ones are sent on.
 * - `open request`: a body to which an account may have more fields; its recipients refuse them.
 * - `query`: nothing is held about unlisted parameters.
 * - `reply`: also a callback; unlisted fields are kept.
 */
type Side = 'request' | 'extensible request' | 'open request' | 'query' | 'reply';

/** A copy of `value` with another value at `path`; `undefined` leaves the field out. */
const putAt = (value: unknown, [step, ...rest]: Path, put: unknown): unknown => {
	if (step === undefined) return put;
	if (Array.isArray(value)) {
		return value.map((item: unknown, index) => (index === step ? putAt(item, rest, put) : item));
	}
	const { [step]: old, ...others } = value as Record<string | number, unknown>;
	if (rest.length === 0 && put === undefined) return others;
	return { ...others, [step]: putAt(old, rest, put) };
};
const valueAt = (value: unknown, path: Path): unknown =>
	path.reduce<unknown>((outer, step) => (outer as Record<string | number, unknown>)[step], value);

const startsWith = (path: Path, start: Path) => start.every((step, index) => path[index] === step);
/** What a schema makes of a value: `taken`, `refused there` (at `path` or inside it), or where else it was refused. */
export const verdict = (schema: z.ZodTypeAny, value: unknown, path: Path = []): string => {
	const result = schema.safeParse(value);
	if (result.success) return 'taken';
	return result.error.issues.some((issue) => startsWith(issue.path, path))
		? 'refused there'
		: result.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`).join('; ');
};
const shortened = (value: unknown) => JSON.stringify(value)?.slice(0, 80);
/** Those of `values` that do not get the verdict `wanted` when put at `path` of `example`. */
const exceptions = (
	schema: z.ZodTypeAny,
	example: unknown,
	path: Path,
	values: readonly unknown[],
	wanted: string,
) =>
	values
		.map((value) => ({
			value: shortened(value),
			verdict: verdict(schema, putAt(example, path, value), path),
		}))
		.filter((each) => each.verdict !== wanted);

const unlisted = 'fieldTheSpecificationDoesNotList';
const holdsUnlisted = (schema: z.ZodTypeAny, type: Type, side: Side) => {
	for (const { label, path } of objectsIn(type, { label: 'body', path: [] })) {
		const value = putAt(exampleOf(type), [...path, unlisted], 'more');
		if (side === 'request' || (side === 'open request' && path[0] === 'messages')) {
			it(`${label}: refuses an unlisted field`, () => {
				const issues = schema.safeParse(value).error?.issues ?? [];
				expect(issues).toContainEqual(
					expect.objectContaining({ code: 'unrecognized_keys', path, keys: [unlisted] }),
				);
			});
		} else if (side !== 'query') {
			it(`${label}: keeps an unlisted field`, () => {
				expect(valueAt(schema.parse(value), [...path, unlisted])).toBe('more');
			});
		}
	}
};

/** What a schema makes of an example without this field, and of one where it is null. */
const presenceIn = (
	schema: z.ZodTypeAny,
	example: unknown,
	{ path, presence }: Place & Field,
	side: Side,
) => {
	const found = [undefined, null].map((put) => verdict(schema, putAt(example, path, put), path));
	const mayBeLeftOut = presence === 'optional' || presence === 'awaited';
	const mayBeNull = presence === 'nullable' || presence === 'awaited';
	const wanted = [mayBeLeftOut, mayBeNull].map((may): string => (may ? 'taken' : 'refused there'));
	// A reply may say null for a field that it may leave out.
	if (presence === 'optional' && side === 'reply') wanted[1] = found[1];
	return { found, wanted };
};

/** Registers the tests that hold a schema against a type of the specification, by structure and by behaviour. */
export const holds = (schema: z.ZodTypeAny, type: Type, side: Side) => {
	const example = exampleOf(type);
	it(`is ${type.kind}, takes complete and minimal examples and refuses other types`, () => {
		expect(kindOf(schema)).toBe(type.kind);
		expect(exceptions(schema, example, [], type.good, 'taken')).toEqual([]);
		expect(exceptions(schema, example, [], [...type.bad, null], 'refused there')).toEqual([]);
	});
	for (const { label, path, fields, type: inner } of objectsIn(type, { label: 'body', path: [] })) {
		it(`${label}: has ${inner.complete ? 'exactly' : 'at least'} the listed fields`, () => {
			const listed = Object.keys(fields).sort();
			const found = Object.keys(shapeOf(schemaAt(schema, path) ?? z.never())).sort();
			if (inner.complete) expect(found).toEqual(listed);
			else expect(found).toEqual(expect.arrayContaining(listed));
		});
	}
	for (const place of fieldsIn(type, { label: '', path: [] })) {
		const { label, path, presence, type: inner } = place;
		it(`${label}: ${inner.kind ?? 'type not shown'}, ${presence}`, () => {
			const schemaThere = schemaAt(schema, path) ?? z.never();
			if (inner.kind !== undefined) expect(kindOf(schemaThere)).toBe(inner.kind);
			expect(exceptions(schema, example, path, inner.good, 'taken')).toEqual([]);
			expect(exceptions(schema, example, path, inner.bad, 'refused there')).toEqual([]);
			if (presence === 'unsaid') return;
			const { found, wanted } = presenceIn(schema, example, place, side);
			expect({ 'left out, null': found }).toEqual({ 'left out, null': wanted });
		});
	}
	holdsUnlisted(schema, type, side);
};

/** A call of the service. A part that is left out must not be there; `not shown` is held elsewhere or not at all. */
export interface Call {
	readonly call: string;
	readonly auth?: Endpoint['auth'];
	readonly encoding?: Endpoint['encoding'];
	readonly status?: Endpoint['status'];
	readonly replyType?: Endpoint['replyType'];
	/** The type of the IDs in its path; whole numbers if missing. */
	readonly id?: Type;
	readonly query?: Type | 'not shown';
	readonly body?: Type | 'not shown';
	readonly bodySide?: Side;
	readonly reply: Type | 'not shown';
	/** What the specification says of it; which field identifies an entry is no part of that. */
	readonly paging?: Omit<Paging, 'key'>;
}
type Calls = Readonly<Record<string, Endpoint>>;
export const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
/** Paths of the messaging API are written from the origin, from its version or from its base URL: all mean one. */
export const addressOf = (call: string) => call.replace(/ (\/api)?\/v1\//, ' /');
/** The endpoint of a call; `call` is the specification's method and path. */
export const endpointOf = (calls: Calls, call: string): Endpoint => {
	const found = Object.values(calls).find(
		(endpoint) => addressOf(nameOf(endpoint)) === addressOf(call),
	);
	if (found === undefined) throw new Error(`core/contract has no ${call}`);
	return found;
};

const holdsPart = (
	name: string,
	schema: z.ZodTypeAny | undefined,
	type: Type | 'not shown' | undefined,
	side: Side,
) => {
	if (type === 'not shown') return;
	if (type === undefined || schema === undefined) {
		it(`has ${type === undefined ? 'no' : 'a'} ${name}`, () => {
			expect(schema !== undefined).toBe(type !== undefined);
		});
		return;
	}
	describe(name, () => holds(schema, type, side));
};

/** Registers the tests that hold the endpoint of a call against the specification. */
export const holdsCall = (calls: Calls, expected: Call) => {
	const { call, auth = 'credential', status = 200, replyType = 'json', paging } = expected;
	const { encoding = expected.body === undefined ? 'none' : 'json' } = expected;
	describe(call, () => {
		const endpoint = endpointOf(calls, call);
		it('has the documented method, path, authorization, encoding, status and page size', () => {
			expect(endpoint).toMatchObject({ auth, encoding, replyType, status });
			// The specification says of a list in one reply that it is not paginated, or nothing.
			const pages = endpoint.paging === 'whole' ? undefined : endpoint.paging;
			const { number, size, defaultSize, window } = pages ?? {};
			expect({ number, size, defaultSize, window }).toEqual({ ...paging });
		});
		it('has the path parameters of its path', () => {
			const named = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
			expect(Object.keys(shapeOf(endpoint.pathParams ?? z.never()))).toEqual(named);
			const { good, bad } = expected.id ?? int;
			for (const name of named) {
				const path = endpoint.pathParams ?? z.never();
				expect(exceptions(path, { [name]: 1 }, [name], good, 'taken')).toEqual([]);
				expect(exceptions(path, { [name]: 1 }, [name], bad, 'refused there')).toEqual([]);
				expect(verdict(path, {}, [name])).toBe('refused there');
			}
		});
		holdsPart('query', endpoint.query, expected.query, 'query');
		holdsPart('body', endpoint.body, expected.body, expected.bodySide ?? 'request');
		holdsPart('reply', endpoint.reply, expected.reply, 'reply');
	});
};
