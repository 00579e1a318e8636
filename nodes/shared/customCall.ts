import { customEndpoint, type Endpoint } from '../../core/contract/endpoint';
import { UnfitValueError } from '../../core/engine/errors';
import { toAcceptedItem, toItems } from '../../core/engine/items';
import { sendOnce } from '../../core/engine/once';
import { defineOperation, type Effect, type Resource } from '../../core/engine/operation';
import type { Param } from '../../core/engine/params';
import { checkRequest } from '../../core/transport/send';
import { isPathBelow } from '../../core/transport/url';
import { checkCustomBody, customBodyOf, customBodyParams, customEncoding } from './customBody';
import { checkCustomPages, customPageParams, readAllPages, readsAllPages } from './customPages';
import { groupByName, namedValues } from './namedValues';

const effectOfCall = (method: Endpoint['method']): Effect => {
	if (method === 'GET') return 'reads';
	return method === 'PUT' || method === 'DELETE' ? 'repeatable' : 'once';
};

const isEmptyReply = (reply: unknown) =>
	reply === undefined ||
	reply === null ||
	reply === '' ||
	(typeof reply === 'object' && Object.keys(reply).length === 0);

const callParams = (api: Endpoint['api']) =>
	[
		{
			displayName: 'Method',
			name: 'method',
			type: 'options',
			options: [
				{ name: 'DELETE', value: 'DELETE' },
				{ name: 'GET', value: 'GET' },
				{ name: 'PATCH', value: 'PATCH' },
				{ name: 'POST', value: 'POST' },
				{ name: 'PUT', value: 'PUT' },
			],
			default: 'GET',
			required: true,
		},
		{
			displayName: 'Path',
			name: 'path',
			type: 'string',
			default: '',
			required: true,
			placeholder: api === 'partner' ? 'e.g. /company/1042/documents' : 'e.g. /templates',
			description: 'Everything behind Base URL of the credential, without "?" and what follows it',
		},
		{
			displayName: 'Query Parameters',
			name: 'query',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Parameter',
			default: {},
			description: 'A name that appears twice is sent twice',
			options: [
				{
					displayName: 'Parameter',
					name: 'parameter',
					values: namedValues,
				},
			],
		},
		...customPageParams(api),
		...customBodyParams,
	] as const satisfies readonly Param[];

const callOf = (api: Endpoint['api']) =>
	defineOperation({
		value: 'call',
		name: 'Call',
		action: 'Make a custom API call',
		description: `Call anything at the ${api} API that this node has no operation for, with the same log-in, retries and error messages`,
		params: callParams(api),
		effect: ({ method }) => effectOfCall(method),
		check: (values, { context }, itemIndex) => {
			const { method, path, query, body } = values;
			if (!isPathBelow(path)) {
				throw new UnfitValueError(
					'Path',
					'must start with one "/", go on below Base URL, and hold no "?": parameters have their own field',
				);
			}
			const parameters = groupByName(query);
			checkCustomPages(api, values, parameters);
			checkCustomBody(values, context, itemIndex);
			checkRequest(customEndpoint(api, method, path), { query: parameters, body });
		},
		each: async (values, { context }, itemIndex) => {
			const { method, path } = values;
			const query = groupByName(values.query);
			if (readsAllPages(values)) return await readAllPages(api, values, query, context, itemIndex);
			const encoding = customEncoding(values);
			const endpoint = customEndpoint(api, method, path, { encoding });
			const request = { query, body: await customBodyOf(values, context, itemIndex) };
			const reply: unknown = await sendOnce(context, itemIndex, endpoint, request);
			// A change without an answer is one item too, so that the workflow continues after it.
			return method !== 'GET' && isEmptyReply(reply) ? [toAcceptedItem(reply)] : toItems(reply);
		},
	});

/** The resource every action node ends with. */
export const customCallOf = (api: Endpoint['api']): Resource => ({
	value: 'customCall',
	name: 'Custom API Call',
	description: 'Anything this node has no operation for',
	operations: [callOf(api)],
});
