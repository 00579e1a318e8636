import type {
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	NodeExecutionHint,
} from 'n8n-workflow';
import type { Client, Network } from './network.cts';

/** The account at the service. Everything that the nodes' modules remember belongs to one. */
export interface Account {
	number: number;
}

interface Call {
	node: INodeType;
	account: Account;
	client: Client;
	network: Network;
	parameters: INodeParameters;
	items: INodeExecutionData[];
	/** The same object for all tries of one run, as in n8n; for an agent's tool, the same for all its calls. */
	executeData: IExecuteData;
	runIndex: number;
	continuesOnFail: boolean;
	retriesOnFail: boolean;
}

export interface Outcome {
	items?: INodeExecutionData[];
	error?: Error & { description?: string | null };
	hints: string[];
}

const credentialsOf = ({ number }: Account): Record<string, IDataObject> => ({
	bulkMessagingPartnerApi: {
		baseUrl: `https://partner-${number}.example`,
		logInWith: 'accessToken',
		accessToken: `token-${number}`,
	},
	bulkMessagingApi: {
		baseUrl: `https://api-${number}.example/api/v1`,
		apiKey: `key-${number}`,
		scheme: 'Bearer',
	},
});

/** Plain values, and `={{ $json.field }}`: the histories need no other expressions. */
const evaluated = (value: unknown, json: IDataObject | undefined): unknown => {
	const [, field] = (typeof value === 'string' && /^=\{\{ \$json\.(\w+) \}\}$/.exec(value)) || [];
	return field === undefined ? value : json?.[field];
};

const locatedValue = (value: unknown) =>
	typeof value === 'object' && value !== null && '__rl' in value && 'value' in value
		? value.value
		: value;

const silent = () => undefined;
const logger = { error: silent, warn: silent, info: silent, debug: silent };

/** As much of n8n's context as the nodes use. n8n's own would take longer than the node's code. */
const contextOf = (call: Call, hints: string[]): IExecuteFunctions => {
	const { account, client, network, parameters, items, executeData, runIndex } = call;
	const { name: type } = call.node.description;
	const credentials = credentialsOf(account);
	const node: INode = {
		id: '1',
		name: 'Tested',
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: {},
		...(call.retriesOnFail && { retryOnFail: true }),
	};
	const httpRequest = async (options: IHttpRequestOptions) =>
		await network.request(client, options);
	const context = {
		logger,
		runIndex,
		getNode: () => node,
		getInputData: () => items,
		getExecuteData: () => executeData,
		getNodeParameter: (
			name: string,
			itemIndex: number,
			fallback?: unknown,
			options: { extractValue?: boolean } = {},
		) => {
			const value = evaluated(parameters[name] ?? fallback, items[itemIndex]?.json);
			return options.extractValue ? locatedValue(value) : value;
		},
		evaluateExpression: (expression: string) =>
			expression.includes('$runIndex') ? runIndex : undefined,
		continueOnFail: () => call.continuesOnFail,
		getCredentials: async (name: string) => credentials[name] ?? {},
		getExecutionCancelSignal: () => undefined,
		getTimezone: () => 'UTC',
		getMode: () => 'trigger',
		getExecutionId: () => client.name,
		getWorkflow: () => ({ id: `w${account.number}`, name: 'Simulation', active: true }),
		getRestApiUrl: () => 'https://n8n.example/rest',
		getInstanceBaseUrl: () => 'https://n8n.example/',
		addExecutionHints: (...added: NodeExecutionHint[]) =>
			hints.push(...added.map(({ message }) => message)),
		helpers: {
			httpRequest,
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
				await httpRequest(options),
		},
	};
	return context as unknown as IExecuteFunctions;
};

/** Runs the real node once. */
export const execute = async (call: Call): Promise<Outcome> => {
	const hints: string[] = [];
	const run = call.node.execute?.call(contextOf(call, hints));
	if (run === undefined) throw new Error('The node has no execute function');
	return await run.then(
		(outputs) => ({ items: Array.isArray(outputs) ? (outputs[0] ?? []) : [], hints }),
		(error: Error) => ({ error, hints }),
	);
};
