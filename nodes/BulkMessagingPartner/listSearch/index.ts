import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import { ask, chosenCompany, searchAll, searchPages } from './search';

const text = (item: IDataObject, field: string) => String(item[field] ?? '');

const searchCompanies = searchPages(
	async (context, page, size) =>
		await ask(context, partner.companyList, { query: { page, per_page: size } }),
	(item) => ({
		name: `${text(item, 'name')}${item.status === 'DISABLED' ? ' (disabled)' : ''}`,
		value: Number(item.companyId),
	}),
);

const searchDispatches = searchPages(
	async (context, page, size) =>
		await ask(context, partner.dispatchList, {
			query: { companyId: chosenCompany(context), page, perPage: size },
		}),
	(item) => ({
		name: `${text(item, 'name')} (${text(item, 'status').toLowerCase()})`,
		value: Number(item.id),
	}),
);

const describeSender = ({ suspended, ...sender }: IDataObject) =>
	[
		text(sender, 'senderName'),
		text(sender, 'channelType'),
		text(sender, 'brand'),
		`${text(sender, 'status').toLowerCase()}${suspended === true ? ', suspended' : ''}`,
	].join(' · ');

const loadSenders = async (context: ILoadOptionsFunctions) => {
	const senders = await ask(context, partner.senderList, {
		query: { companyId: chosenCompany(context) },
	});
	return senders.map((sender) => ({ name: describeSender(sender), value: sender.id }));
};

const loadDocuments = async (context: ILoadOptionsFunctions) => {
	const documents = await ask(context, partner.documentList, {
		path: { id: chosenCompany(context) },
	});
	return documents.map(({ id, filename, createdAt }) => ({
		name: `${filename} (${createdAt.slice(0, 10)})`,
		value: id,
	}));
};

export const listSearch = {
	searchCompanies,
	searchDispatches,
	searchSenders: searchAll(loadSenders),
	searchDocuments: searchAll(loadDocuments),
};

/** The same lists where several entries are chosen at once. */
export const loadOptions = {
	async getSenders(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await loadSenders(this);
	},
	async getDocuments(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await loadDocuments(this);
	},
};
