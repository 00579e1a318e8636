import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import type { Sender } from '../../../core/contract/sender';
import type { z } from '../../../vendor/zod';
import { ask, chosenCompany, searchAll, searchPages } from './search';

const searchCompanies = searchPages(
	async (context, page, size) =>
		await ask(context, partner.companyList, { query: { page, per_page: size } }),
	({ companyId, name, status }) => ({
		name: status === 'DISABLED' ? `${name} (disabled)` : name,
		value: companyId,
	}),
);

const searchDispatches = searchPages(
	async (context, page, size) =>
		await ask(context, partner.dispatchList, {
			query: { companyId: chosenCompany(context), page, perPage: size },
		}),
	({ id, name, status }) => ({ name: `${name} (${status.toLowerCase()})`, value: id }),
);

const describeSender = ({
	senderName,
	channelType,
	brand,
	status,
	suspended,
}: z.output<typeof Sender>) =>
	`${senderName} · ${channelType} · ${brand} · ${status.toLowerCase()}${suspended ? ', suspended' : ''}`;

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

/** The same list where several are chosen at once. */
export const loadOptions = {
	async getSenders(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await loadSenders(this);
	},
};
