import type { IExecuteFunctions } from 'n8n-workflow';
import type { Endpoint } from '../../core/contract/endpoint';
import { UnfitValueError } from '../../core/engine/errors';
import type { Param } from '../../core/engine/params';
import type { FormParts } from '../../core/transport/encode';
import { groupByName, namedValues, type NamedValues } from './namedValues';
import { binaryPropertyName, readInputFile, requireInputFile } from './inputFile';

const withBody = ['PATCH', 'POST', 'PUT'] as const;

/** The body of an API request. */
export const customBodyParams = [
	{
		displayName: 'Body Type',
		name: 'bodyType',
		type: 'options',
		options: [
			{
				name: 'Form With a File',
				value: 'form',
				description:
					'Send a file from the input item, with or without other fields (multipart/form-data)',
			},
			{ name: 'JSON', value: 'json' },
			{ name: 'None', value: 'none' },
		],
		default: 'json',
		displayOptions: { show: { method: withBody } },
		description: 'What to send with the request',
	},
	{
		displayName: 'Body (JSON)',
		name: 'body',
		type: 'json',
		default: '',
		displayOptions: { show: { method: withBody, bodyType: ['json'] } },
	},
	{
		...binaryPropertyName,
		displayOptions: { show: { method: withBody, bodyType: ['form'] } },
	},
	{
		displayName: 'File Field Name',
		name: 'partName',
		type: 'string',
		default: 'file',
		required: true,
		displayOptions: { show: { method: withBody, bodyType: ['form'] } },
		description: 'The name of the form field in which the service expects the file',
	},
	{
		displayName: 'Form Fields',
		name: 'formFields',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Field',
		default: {},
		displayOptions: { show: { method: withBody, bodyType: ['form'] } },
		description: 'Other fields to send with the file. To send several values, repeat the name.',
		options: [{ displayName: 'Field', name: 'parameter', values: namedValues }],
	},
] as const satisfies readonly Param[];

interface BodyValues {
	method: Endpoint['method'];
	bodyType: 'form' | 'json' | 'none';
	body: unknown;
	binaryPropertyName: string;
	partName: string;
	formFields: NamedValues;
}

/** Checks the method too, because n8n always shows a field whose condition depends on an expression. */
const customBodyType = ({ method, bodyType }: BodyValues): BodyValues['bodyType'] =>
	withBody.some((one) => one === method) ? bodyType : 'none';

export const customEncoding = (values: BodyValues): Endpoint['encoding'] =>
	(({ form: 'multipart', json: 'json', none: 'none' }) as const)[customBodyType(values)];

/** Throws before the first item is sent. Only checks that a file exists, because all files at once may not fit into memory. */
export const checkCustomBody = (
	values: BodyValues,
	context: IExecuteFunctions,
	itemIndex: number,
): void => {
	if (customBodyType(values) !== 'form') return;
	const { binaryPropertyName: field, partName, formFields } = values;
	if (Object.hasOwn(groupByName(formFields), partName)) {
		throw new UnfitValueError(
			'Form Fields',
			`contains "${partName}", which is also the 'File Field Name'. Change one of the names`,
		);
	}
	requireInputFile(context, itemIndex, field);
};

export const customBodyOf = async (
	values: BodyValues,
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<unknown> => {
	const type = customBodyType(values);
	if (type !== 'form') return type === 'json' ? values.body : undefined;
	const { binaryPropertyName: field, partName, formFields } = values;
	const { fileName, mimeType, bytes, foundType } = await readInputFile(context, itemIndex, field);
	const file = { filename: fileName || partName, contentType: foundType ?? mimeType, bytes };
	return { ...groupByName(formFields), [partName]: file } satisfies FormParts;
};
