import { ExecuteContext, LoadOptionsContext } from 'n8n-core';
import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import { partner } from '../../core/contract/partner';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { demo } from '../../sandbox/demo.cts';
import type { Sandbox } from '../../sandbox/sandbox.cts';
import { runNode, type Credentials } from '../support/n8n.cts';
import { byId } from '../support/sandbox.cts';
import { addDispatches } from './table/dispatches.cts';
import { pdf } from './table/files.cts';

const { flowers } = demo.companies;
const { listSearch, loadOptions } = new BulkMessagingPartner().methods;
export type Search = keyof typeof listSearch;
type Load = keyof typeof loadOptions;

/** Calls a method as the editor does: in n8n's own context for lists, with the parameters as they are chosen. */
const inEditor = async <Result,>(
	method: (context: ILoadOptionsFunctions) => Promise<Result>,
	currentNodeParameters: INodeParameters,
	credentials: Credentials,
): Promise<Result> => {
	let outcome: (() => Result) | undefined;
	async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (!(this instanceof ExecuteContext)) throw new Error('not the context of n8n-core');
		const node = { ...this.node, parameters: currentNodeParameters };
		const data = { ...this.additionalData, currentNodeParameters };
		const context = new LoadOptionsContext(this.workflow, node, data, 'parameters.id');
		outcome = await method(context).then(
			(result) => () => result,
			(error: unknown) => () => {
				throw error;
			},
		);
		return [[]];
	}
	const node: INodeType = { description: new BulkMessagingPartner().description, execute };
	const parameters = { resource: 'company', operation: 'getAll' };
	const { error } = await runNode({ node, parameters, credentials });
	if (outcome === undefined) throw error ?? new Error('the method was not called');
	return outcome();
};

/** Where in the editor each list is opened. */
const openedAt: Record<Search | Load, INodeParameters> = {
	searchCompanies: { resource: 'company', operation: 'update' },
	searchDispatches: { resource: 'dispatch', operation: 'start' },
	searchSenders: { resource: 'sender', operation: 'get' },
	searchDocuments: { resource: 'sender', operation: 'update' },
	getSenders: { resource: 'dispatch', operation: 'create' },
};

/** What the editor holds as long as nothing is chosen. */
const nothingChosen = { __rl: true, mode: 'list', value: '' };

const parametersAt = (list: Search | Load, company: number | undefined): INodeParameters => ({
	...openedAt[list],
	companyId: company === undefined ? nothingChosen : byId(company),
});

export interface Opened {
	company?: number;
	filter?: string;
}

/** A searched list. */
export const search = async (
	credentials: Credentials,
	name: Search,
	{ company, filter }: Opened = {},
) =>
	await inEditor(
		async (context) => await listSearch[name].call(context, filter),
		parametersAt(name, company),
		credentials,
	);

/** A list in which several entries can be chosen. */
export const load = async (credentials: Credentials, name: Load, company?: number) =>
	await inEditor(
		async (context) => await loadOptions[name].call(context),
		parametersAt(name, company),
		credentials,
	);

type Call = ReturnType<Sandbox['client']>['call'];

const times = async (
	sandbox: Sandbox,
	count: number,
	add: (name: string, call: Call) => Promise<unknown>,
) => {
	const { call } = sandbox.client();
	for (let added = 1; added <= count; added++) await add(`Entry ${added}.`, call);
};

/** Empties a list and fills it with so many entries, named `Entry 1.` and on. */
export const fill: Record<Search, (sandbox: Sandbox, count: number) => Promise<void>> = {
	searchCompanies: async (sandbox, count) => {
		sandbox.world.store.companies.clear();
		const rest = { counteragentType: 'LEGAL', counteragentInn: '7707083893' } as const;
		await times(sandbox, count, async (name, call) =>
			call(partner.companyCreate, { body: { company: { name, ...rest } } }),
		);
	},
	searchDispatches: async (sandbox, count) => {
		const { dispatches } = sandbox.world.store;
		dispatches.clear();
		await addDispatches(sandbox, count);
		for (const dispatch of dispatches.values()) {
			dispatch.name = dispatch.name.replace(/^Seeded (\d+)/, 'Entry $1.');
		}
	},
	searchSenders: async (sandbox, count) => {
		sandbox.world.store.senders.clear();
		const rest = {
			companyId: flowers,
			channelType: 'SMS',
			commonType: 'COMMON',
			brand: 'MTS',
			dateFrom: '2026-04-01T00:00:00Z',
		} as const;
		await times(sandbox, count, async (senderName, call) =>
			call(partner.senderCreate, { body: { senderName, ...rest } }),
		);
	},
	searchDocuments: async (sandbox, count) => {
		const rest = { contentType: 'application/pdf', bytes: pdf };
		await times(sandbox, count, async (filename, call) =>
			call(partner.documentUpload, {
				path: { id: flowers },
				body: { file: { filename, ...rest } },
			}),
		);
	},
};
