import { z } from '../../vendor/zod';
import type { Endpoint, Fields } from '../../core/contract/endpoint';
import { findFileType, type UploadFile } from '../../core/contract/company';
import { badRequest } from './apiError.cts';

const maxBodyBytes = 256 * 1024 * 1024;

/** `messages[3].destination` */
const nameOf = (path: ReadonlyArray<string | number>, part: string): string =>
	path.length === 0
		? part
		: path
				.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
				.join('')
				.replace(/^\./, '');

/** The first problems in an input, each with the name of its field. */
const describe = (issues: readonly z.ZodIssue[], part: string): string => {
	const shown = issues.slice(0, 3).map(({ path, message }) => `${nameOf(path, part)}: ${message}`);
	const more = issues.length - shown.length;
	return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
};

export const parse = <Schema extends z.ZodTypeAny>(
	schema: Schema,
	value: unknown,
	part: string,
): z.output<Schema> => {
	const result = schema.safeParse(value);
	if (!result.success) throw badRequest(describe(result.error.issues, part));
	return result.data;
};

const bare = (schema: z.ZodTypeAny): z.ZodTypeAny =>
	schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
		? bare(schema.unwrap())
		: schema;

/** Converts a parameter's text to the type its schema expects. The schema rejects text that can't be converted. */
const fromText = (schema: z.ZodTypeAny, text: string): unknown => {
	const kind = bare(schema);
	if (kind instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
	if (kind instanceof z.ZodBoolean && /^(true|false|1|0)$/.test(text)) {
		return text === 'true' || text === '1';
	}
	return text;
};

/** Arrays are "given by repeating the parameter". An unknown parameter is an error, because a misspelled filter would have no effect. */
export const parseQuery = <Schema extends Fields>(
	schema: Schema,
	search: URLSearchParams,
): z.output<Schema> => {
	const values: Record<string, unknown> = {};
	for (const name of new Set(search.keys())) {
		if (!Object.hasOwn(schema.shape, name)) throw badRequest(`${name}: is not a parameter here`);
		const kind = bare(schema.shape[name]);
		const texts = search.getAll(name);
		if (kind instanceof z.ZodArray) {
			values[name] = texts.map((text) => fromText(kind.element, text));
		} else if (texts.length === 1) {
			values[name] = fromText(kind, texts[0]);
		} else throw badRequest(`${name}: was given ${texts.length} times`);
	}
	return parse(schema, values, 'query');
};

export const parsePath = <Schema extends Fields>(
	schema: Schema,
	params: Readonly<Record<string, string>>,
): z.output<Schema> =>
	parse(
		schema,
		Object.fromEntries(
			Object.entries(params).map(([name, text]) => [
				name,
				fromText(schema.shape[name] ?? z.string(), text),
			]),
		),
		'path',
	);

export const readJson = async (request: Request): Promise<unknown> => {
	if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) {
		throw badRequest('the body is larger than 256 MB');
	}
	const text = await request.text();
	if (text === '') return undefined;
	if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) {
		throw badRequest('Content-Type must be application/json');
	}
	try {
		return JSON.parse(text);
	} catch {
		throw badRequest('the body is not valid JSON');
	}
};

/** The parts of a form. A file becomes its name, type and bytes. */
const readForm = async (request: Request): Promise<Record<string, unknown>> => {
	if (!/^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')) {
		throw badRequest('Content-Type must be multipart/form-data');
	}
	if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) {
		throw badRequest('the body is larger than 256 MB');
	}
	let form: FormData;
	try {
		form = await request.formData();
	} catch {
		throw badRequest("the form can't be read");
	}
	const parts: Record<string, unknown> = {};
	for (const name of new Set(form.keys())) {
		const [first, ...others] = form.getAll(name);
		if (others.length > 0) throw badRequest(`${name}: was given ${others.length + 1} times`);
		if (typeof first === 'string') {
			parts[name] = first;
			continue;
		}
		const bytes = new Uint8Array(await first.arrayBuffer());
		const file: UploadFile = {
			filename: first.name,
			contentType: findFileType(bytes) ?? 'application/octet-stream',
			bytes,
		};
		parts[name] = file;
	}
	return parts;
};

/** The body, parsed with the endpoint's schema. A missing body is read as `{}` if the schema is an object. */
export const parseBody = async (endpoint: Endpoint, request: Request): Promise<unknown> => {
	const { body: schema, encoding } = endpoint;
	if (schema === undefined) return undefined;
	if (encoding === 'multipart') return parse(schema, await readForm(request), 'body');
	const value = await readJson(request);
	return parse(schema, value === undefined && schema instanceof z.ZodObject ? {} : value, 'body');
};
