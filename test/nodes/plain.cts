import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import type { Row } from './row.cts';

/** The first row of an operation: its plain use. */
export const plainRowOf =
	(rows: readonly Row[]) =>
	(operation: string): Row => {
		const row = rows.find((one) => one.operation === operation);
		if (row === undefined) throw new Error(`no row for ${operation}`);
		return row;
	};

/** The parameters with one field, at any depth, set to another value: `options.schedule.when.hours`. */
export const withField = (
	parameters: INodeParameters,
	path: string,
	value: unknown,
): INodeParameters => {
	const [name = '', ...rest] = path.split('.');
	const inner = parameters[name] ?? {};
	const replaced =
		rest.length === 0 ? value : withField(inner as INodeParameters, rest.join('.'), value);
	if (Array.isArray(parameters)) {
		return parameters.map((entry: unknown, index) =>
			String(index) === name ? replaced : entry,
		) as unknown as INodeParameters;
	}
	return { ...parameters, [name]: replaced as NodeParameterValueType };
};
