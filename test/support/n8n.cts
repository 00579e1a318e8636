import 'reflect-metadata';
import { ExecutionLifecycleHooks, ExternalSecretsProxy, WorkflowExecute } from 'n8n-core';
import {
	ICredentialsHelper,
	NodeConnectionTypes,
	Workflow,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialType,
	type IDataObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	type INodeTypes,
	type IRequestOptionsSimplified,
	type IRun,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type OnError,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { BulkMessagingApi } from '../../credentials/BulkMessagingApi.credentials';
import { BulkMessagingCallbackApi } from '../../credentials/BulkMessagingCallbackApi.credentials';
import { BulkMessagingPartnerApi } from '../../credentials/BulkMessagingPartnerApi.credentials';
import { requireKnownNames } from './mentions.cts';

const ownCredentialTypes = [
	new BulkMessagingApi(),
	new BulkMessagingPartnerApi(),
	new BulkMessagingCallbackApi(),
];

export type Credentials = Record<string, ICredentialDataDecryptedObject>;

/** n8n's own way with credentials, with the package's credential classes and a plain object as storage. */
class StoredCredentials extends ICredentialsHelper {
	private readonly types: ReadonlyMap<string, ICredentialType>;

	constructor(
		private readonly stored: Credentials,
		types: readonly ICredentialType[],
	) {
		super();
		this.types = new Map(types.map((type) => [type.name, type]));
	}

	getParentTypes() {
		return [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.types.get(type)?.properties ?? [];
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('not used by nodes');
	}

	async getDecrypted(
		_data: IWorkflowExecuteAdditionalData,
		_details: INodeCredentialsDetails,
		type: string,
	) {
		const defaults = Object.fromEntries(
			this.getCredentialsProperties(type).map((property) => [property.name, property.default]),
		);
		return { ...defaults, ...this.stored[type] } as ICredentialDataDecryptedObject;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		options: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const authenticate = this.types.get(typeName)?.authenticate;
		if (typeof authenticate !== 'function')
			throw new Error(`${typeName} has no authenticate function`);
		return await authenticate(credentials, options as IHttpRequestOptions);
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		_node: INode,
		credentialsExpired: boolean,
	) {
		const expirable = this.getCredentialsProperties(typeName).find(
			({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true,
		);
		const preAuthentication = this.types.get(typeName)?.preAuthentication;
		if (expirable === undefined || preAuthentication === undefined) return undefined;
		if (credentials[expirable.name] !== '' && !credentialsExpired) return undefined;
		const output = (await preAuthentication.call(
			helpers,
			credentials,
		)) as ICredentialDataDecryptedObject;
		this.stored[typeName] = { ...this.stored[typeName], ...output };
		return Object.assign(credentials, output);
	}

	async runPreAuthentication() {
		return undefined;
	}

	async updateCredentials() {}

	async updateCredentialsOauthTokenData() {}
}

/** The node before the one under test: it gives the items. */
class Source implements INodeType {
	description = {
		displayName: 'Source',
		name: 'source',
		group: ['trigger' as const],
		version: 1,
		description: 'Gives the items of the test',
		defaults: { name: 'Source' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	execute: () => Promise<INodeExecutionData[][]>;

	constructor(items: INodeExecutionData[]) {
		this.execute = async () => [items];
	}
}

export interface NodeRun {
	node: INodeType;
	/** What the workflow calls it. */
	typeName?: string;
	parameters?: INodeParameters;
	/** The json of each input item. One empty item when left out, as a manual trigger gives. */
	items?: IDataObject[];
	/** Whole items, where binary data matters. */
	inputItems?: INodeExecutionData[];
	credentials?: Credentials;
	/** The package's own, unless the node is one of another build. */
	credentialTypes?: readonly ICredentialType[];
	onError?: OnError;
	/** n8n's setting Retry On Fail: how often it is tried. */
	tries?: number;
	/** How often the node runs in one execution, as in a loop; with the same items each time. */
	rounds?: number;
	/** What `$workflow.name` gives. */
	workflowName?: string;
	/** By default every run is one of another workflow. */
	workflowId?: string;
	/** Called with a function that cancels the execution. */
	onStart?: (cancel: () => void) => void;
}

export interface NodeResult {
	/** What left the node, per output. */
	outputs: INodeExecutionData[][];
	items: INodeExecutionData[];
	error?: Error & { description?: string | null; context?: IDataObject; httpCode?: string | null };
	run: IRun;
}

/** What the node tells on its output panel. */
export const hintsOf = ({ run }: Pick<NodeResult, 'run'>): string[] =>
	(run.data.resultData.runData.Tested?.at(-1)?.hints ?? []).map(({ message }) => message);

const unused = () => {
	throw new Error('not available in this test');
};

/** What n8n gives to every execution, with the credentials of a test. */
export const additionalDataOf = (
	workflow: Workflow,
	credentials: Credentials,
	mode: WorkflowExecuteMode = 'manual',
	credentialTypes: readonly ICredentialType[] = ownCredentialTypes,
): IWorkflowExecuteAdditionalData => {
	const workflowData: IWorkflowBase = {
		id: workflow.id,
		name: 'Test',
		nodes: Object.values(workflow.nodes),
		connections: workflow.connectionsBySourceNode,
		active: false,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		activeVersionId: null,
	};
	const url = 'http://127.0.0.1/unused';
	return {
		credentialsHelper: new StoredCredentials(credentials, credentialTypes),
		executionId: 'e1',
		currentNodeExecutionIndex: 0,
		hooks: new ExecutionLifecycleHooks(mode, 'e1', workflowData),
		variables: {},
		externalSecretsProxy: new ExternalSecretsProxy(),
		setExecutionStatus: () => undefined,
		executeWorkflow: unused,
		getRunExecutionData: unused,
		getRuntimeCredential: unused,
		logAiEvent: () => undefined,
		startRunnerTask: unused,
		restApiUrl: url,
		// The editor may have another address than the webhooks.
		instanceBaseUrl: 'http://editor.example/',
		formBaseUrl: url,
		formWaitingBaseUrl: url,
		formTestBaseUrl: url,
		webhookBaseUrl: url,
		webhookWaitingBaseUrl: url,
		webhookTestBaseUrl: url,
		mcpBaseUrl: url,
		mcpTestBaseUrl: url,
	};
};

/** Executes one node in n8n's own engine: real expressions, real credentials, real HTTP, real item linking. */
let workflows = 0;

export const runNode = async ({
	node: nodeType,
	typeName = 'tested',
	parameters = {},
	items = [{}],
	inputItems = items.map((json) => ({ json })),
	credentials = {},
	credentialTypes,
	onError,
	tries = 1,
	rounds = 1,
	workflowName = 'Test',
	workflowId = `w${++workflows}`,
	onStart,
}: NodeRun): Promise<NodeResult> => {
	const source = new Source(inputItems);
	const types: Record<string, INodeType> = { source, [typeName]: nodeType };
	const nodeTypes: INodeTypes = {
		getByName: (type) => types[type] as INodeType,
		getByNameAndVersion: (type) => types[type] as INodeType,
		getKnownTypes: () => ({}),
	};
	const { version } = nodeType.description;
	const nodes: INode[] = [
		{ id: '1', name: 'Source', type: 'source', typeVersion: 1, position: [0, 0], parameters: {} },
		{
			id: '2',
			name: 'Tested',
			type: typeName,
			typeVersion: Array.isArray(version) ? Math.max(...version) : version,
			position: [200, 0],
			parameters,
			onError,
			// n8n takes 0 for its default, a second.
			...(tries > 1 && { retryOnFail: true, maxTries: tries, waitBetweenTries: 1 }),
			credentials: Object.fromEntries(
				Object.keys(credentials).map((type) => [type, { id: type, name: type }]),
			),
		},
	];
	const toTested = { node: 'Tested', type: NodeConnectionTypes.Main, index: 0 };
	const connections = { Source: { main: [Array.from({ length: rounds }, () => toTested)] } };
	const workflow = new Workflow({
		id: workflowId,
		name: workflowName,
		nodes,
		connections,
		active: false,
		nodeTypes,
	});
	const additionalData = additionalDataOf(workflow, credentials, 'manual', credentialTypes);
	const execution = new WorkflowExecute(additionalData, 'manual').run({
		workflow,
		startNode: workflow.getNode('Source') ?? undefined,
		destinationNode: { nodeName: 'Tested', mode: 'inclusive' },
	});
	onStart?.(() => execution.cancel());
	const run = await execution;
	const task = run.data.resultData.runData.Tested?.at(-1);
	const outputs = (task?.data?.main ?? []).map((output) => output ?? []);
	const error = task?.error ?? run.data.resultData.error;
	requireKnownNames(nodeType.description, parameters, [
		error?.message,
		error?.description,
		...(task?.hints ?? []).map(({ message }) => message),
		...outputs.flat().flatMap(({ json }) => [json.error, json.summary]),
	]);
	return { outputs, items: outputs[0] ?? [], error, run };
};
