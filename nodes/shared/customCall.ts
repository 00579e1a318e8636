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
			description:
				"The part of the URL after the credential's 'Base URL', without \"?\" and query parameters",
		},
		{
			displayName: 'Query Parameters',
			name: 'query',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Parameter',
			default: {},
			description: 'To send several values, repeat the name',
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
		name: 'Send Request',
		action: 'Send an API request',
		description: `Send any request to the ${api} API that this node has no operation for, with the same login, retries and error messages`,
		params: callParams(api),
		effect: ({ method }) => effectOfCall(method),
		check: (values, { context }, itemIndex) => {
			const { method, path, query, body } = values;
			if (!isPathBelow(path)) {
				throw new UnfitValueError(
					'Path',
					'must start with one "/" and must not contain "?", "#" or "..". Enter query parameters in \'Query Parameters\'',
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
			// An empty response to a change still becomes one item, so that the workflow continues.
			return method !== 'GET' && isEmptyReply(reply) ? [toAcceptedItem(reply)] : toItems(reply);
		},
	});

/** The last resource of every action node. */
export const customCallOf = (api: Endpoint['api']): Resource => ({
	value: 'customCall',
	name: 'API Request',
	description: 'Send requests that this node has no operation for',
	operations: [callOf(api)],
});
