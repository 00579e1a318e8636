import { customEndpoint, type Endpoint } from '../../core/contract/endpoint';
import { UnfitValueError } from '../../core/engine/errors';
import { toAcceptedItem, toItems } from '../../core/engine/items';
import { sendOnce } from '../../core/engine/once';
import { defineOperation, type Effect, type Resource } from '../../core/engine/operation';
import type { Param } from '../../core/engine/params';
import { checkRequest } from '../../core/transport/send';
import { isPathBelow } from '../../core/transport/url';

const effectOfCall = (method: Endpoint['method']): Effect => {
	if (method === 'GET') return 'reads';
	return method === 'PUT' || method === 'DELETE' ? 'repeatable' : 'once';
};

interface Parameters {
	parameter?: ReadonlyArray<{ name?: string; value?: string }>;
}

const toCallQuery = ({ parameter = [] }: Parameters): Record<string, string[]> => {
	// Without a prototype: a parameter may be called `constructor`.
	const query = Object.create(null) as Record<string, string[]>;
	for (const { name, value = '' } of parameter) {
		if (name) (query[name] ??= []).push(value);
	}
	return query;
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
					values: [
						{ displayName: 'Name', name: 'name', type: 'string', default: '' },
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							whenEmpty: 'keep',
						},
					],
				},
			],
		},
		{
			displayName: 'Body (JSON)',
			name: 'body',
			type: 'json',
			default: '',
			displayOptions: { show: { method: ['PATCH', 'POST', 'PUT'] } },
		},
	] as const satisfies readonly Param[];

const callOf = (api: Endpoint['api']) =>
	defineOperation({
		value: 'call',
		name: 'Call',
		action: 'Make a custom API call',
		description: `Call anything at the ${api} API that this node has no operation for, with the same log-in, retries and error messages`,
		params: callParams(api),
		effect: ({ method }) => effectOfCall(method),
		check: ({ method, path, query, body }) => {
			if (!isPathBelow(path)) {
				throw new UnfitValueError(
					'Path',
					'must start with one "/", go on below Base URL, and hold no "?": parameters have their own field',
				);
			}
			checkRequest(customEndpoint(api, method, path), { query: toCallQuery(query), body });
		},
		each: async ({ method, path, query, body }, { context }, itemIndex) => {
			const endpoint = customEndpoint(api, method, path);
			const request = { query: toCallQuery(query), body };
			const reply: unknown = await sendOnce(context, itemIndex, endpoint, request);
			// A change without an answer is one item too, so that the workflow goes on behind it.
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
