import { UnfitValueError } from '../../../../../core/engine/errors';
import type { Param, ValuesOf } from '../../../../../core/engine/params';
import { parseJson, readNumber } from '../../../../../core/engine/scalars';
import { isRecord } from '../../../../../core/json';

const contentFieldsLabel = 'Content Fields';

const rowParams = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. text',
		description:
			"The service's name for the field. A dot separates an object from its field, as in button.caption.",
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: [
			{ name: 'JSON', value: 'json' },
			{ name: 'Number', value: 'number' },
			{ name: 'Text', value: 'text' },
			{ name: 'True or False', value: 'boolean' },
		],
		default: 'text',
		description: 'The type that the value is sent as',
	},
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
		description: "If 'Type' is 'Text', {name} is replaced by the item's value for that field",
	},
] as const satisfies readonly Param[];

export const contentFieldsParam = {
	displayName: contentFieldsLabel,
	name: 'contentFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Field',
	default: {},
	displayOptions: { show: { contentFormat: ['fields'] } },
	description: 'The content in the format that the service expects for the channel, field by field',
	options: [{ displayName: 'Field', name: 'field', values: rowParams }],
} as const satisfies Param;

export type ContentRow = ValuesOf<typeof rowParams>;

const parsed = (name: string, text: string): unknown => {
	const json = parseJson(text);
	if (json !== undefined) return json.value;
	throw new UnfitValueError(contentFieldsLabel, `contains "${name}", which isn't valid JSON`);
};

const toValue = ({ name = '', type = 'text', value = '' }: ContentRow): unknown => {
	if (type === 'json') return parsed(name, value);
	if (type === 'boolean') {
		const plain = value.trim().toLowerCase();
		if (plain === 'true' || plain === 'false') return plain === 'true';
		throw new UnfitValueError(
			contentFieldsLabel,
			`contains "${name}", which must be true or false`,
		);
	}
	if (type === 'number') {
		const number = readNumber(value);
		// JavaScript rounds larger numbers.
		if (number !== undefined && Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
		throw new UnfitValueError(contentFieldsLabel, `contains "${name}", which must be a number`);
	}
	return value;
};

/** Turns rows of names and values into one object; `button.url` becomes the field `url` of the object `button`. */
export const toContentObject = (rows: readonly ContentRow[]): Record<string, unknown> => {
	if (rows.length === 0)
		throw new UnfitValueError(contentFieldsLabel, 'is empty. Add at least one field');
	const content: Record<string, unknown> = {};
	for (const row of rows) {
		const { name = '' } = row;
		const path = name.split('.').map((part) => part.trim());
		if (path.some((part) => part === '' || part === '__proto__')) {
			throw new UnfitValueError(
				contentFieldsLabel,
				`contains the field name "${name}", which isn't allowed`,
			);
		}
		const last = path.pop() ?? '';
		let place = content;
		for (const part of path) {
			const inner = Object.hasOwn(place, part) ? place[part] : (place[part] = {});
			if (!isRecord(inner)) {
				throw new UnfitValueError(
					contentFieldsLabel,
					`contains "${name}", but "${part}" already has a value`,
				);
			}
			place = inner;
		}
		if (Object.hasOwn(place, last)) {
			throw new UnfitValueError(contentFieldsLabel, `contains the field "${name}" twice`);
		}
		place[last] = toValue(row);
	}
	return content;
};
