import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { withoutCode } from '../../../core/contract/dispatchName';
import type { Endpoint, Listing, RequestOf, ResultOf } from '../../../core/contract/endpoint';
import { partner } from '../../../core/contract/partner';
import type { SenderEntry } from '../../../core/contract/sender';
import { toNodeError } from '../../../core/engine/failure';
import { list } from '../../../core/transport/list';
import { hideCallbackLogin } from '../../shared/callbackLogin';
import { channelOptions } from '../../shared/channels';
import { brandOptions } from '../../shared/senderNames';
import { senderStatusOptions } from '../../shared/options';

type ListContext = ILoadOptionsFunctions;
type Search = (this: ListContext, filter?: string) => Promise<INodeListSearchResult>;

/** If the list can't be loaded, the error has the same texts as in a run of the node. */
const askForList = async <E extends Endpoint & { paging: Listing }>(
	context: ListContext,
	endpoint: E,
	request: RequestOf<E>,
): Promise<ResultOf<E>> => {
	await hideCallbackLogin(context, 'dispatch');
	const asked = list(context, endpoint, request, { pageSize: 1_000 });
	const entries = await asked.catch((error: unknown) => {
		throw toNodeError(context.getNode(), error, { params: [] });
	});
	// An entry may lack fields. Then its name in the list has gaps.
	return entries as ResultOf<E>;
};

const companyMissing = 'Choose a company first';

/** `undefined` if the user hasn't chosen one yet. */
const companyIn = (context: ListContext): number | undefined => {
	const id = Number(context.getCurrentNodeParameter('companyId', { extractValue: true }) ?? '');
	return Number.isInteger(id) && id > 0 ? id : undefined;
};

const chosenCompany = (context: ListContext): number => {
	const id = companyIn(context);
	if (id !== undefined) return id;
	throw new NodeOperationError(context.getNode(), companyMissing, {
		description: 'This list shows entries that belong to the company chosen above.',
	});
};

/** The service can't search, so the whole list is read. */
const searchAll = (load: (context: ListContext) => Promise<INodeListSearchItems[]>): Search =>
	async function (this: ListContext, filter = '') {
		const wanted = filter.toLowerCase();
		const results = (await load(this)).filter(({ name, value }) =>
			`${name} ${String(value)}`.toLowerCase().includes(wanted),
		);
		return { results };
	};

const nameOf = (options: ReadonlyArray<{ name: string; value: string }>, value: string) =>
	options.find((option) => option.value === value)?.name ?? value;

const describeSender = ({ senderName, channelType, brand, status, suspended }: SenderEntry) =>
	[
		senderName,
		nameOf(channelOptions, channelType),
		nameOf(brandOptions, brand),
		`${nameOf(senderStatusOptions, status)}${suspended ? ', Suspended' : ''}`,
	].join(' · ');

const loadSenders = async (
	context: ListContext,
	isWanted: (sender: SenderEntry) => boolean = () => true,
) => {
	const query = { companyId: chosenCompany(context) };
	const senders = (await askForList(context, partner.senderList, { query })).filter(isWanted);
	return senders.map((sender) => ({ name: describeSender(sender), value: sender.id }));
};

export const listSearch = {
	searchCompanies: searchAll(async (context) =>
		(await askForList(context, partner.companyList, {})).map(({ companyId, name, status }) => ({
			name: status === 'DISABLED' ? `${name} (disabled)` : name,
			value: companyId,
		})),
	),
	searchDispatches: searchAll(async (context) => {
		const query = { companyId: chosenCompany(context) };
		const dispatches = await askForList(context, partner.dispatchList, { query });
		// The newest first, in whichever order the service lists them: a higher ID is newer.
		return dispatches
			.sort((a, b) => b.id - a.id)
			.map(({ id, name, status, createdAt }) => ({
				name: `${withoutCode(String(name))} (${id}, ${String(createdAt).slice(0, 10)}, ${String(status).toLowerCase()})`,
				value: id,
			}));
	}),
	searchSenders: searchAll(async (context) => await loadSenders(context)),
	searchDocuments: searchAll(async (context) => {
		const path = { id: chosenCompany(context) };
		const documents = await askForList(context, partner.documentList, { path });
		return documents.map(({ id, filename, createdAt }) => ({
			name: `${filename} (${String(createdAt).slice(0, 10)})`,
			value: id,
		}));
	}),
};

/** For a dispatch: lists only sender names that it can use, so that a chosen name isn't rejected later. */
export const loadOptions = {
	async getSenders(this: ListContext): Promise<INodePropertyOptions[]> {
		// Not an error, because n8n shows errors in place of the field. Choosing this entry is rejected like any other wrong ID.
		if (companyIn(this) === undefined) return [{ name: companyMissing, value: '' }];
		const channel = this.getCurrentNodeParameter('channelType');
		const isListed = channelOptions.some(({ value }) => value === channel);
		return await loadSenders(
			this,
			({ channelType, status, suspended }) =>
				status === 'APPROVED' && !suspended && (!isListed || channelType === channel),
		);
	},
};
