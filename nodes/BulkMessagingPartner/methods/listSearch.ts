import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import { askForList, chosenCompany, searchAll, searchNewestFirst, searchPages } from './ask';
import { loadSenders } from './senders';

const searchCompanies = searchPages(
	async (context, page, size) =>
		await askForList(context, partner.companyList, { query: { page, per_page: size } }),
	({ companyId, name, status }) => ({
		name: status === 'DISABLED' ? `${name} (disabled)` : name,
		value: companyId,
	}),
);

const searchDispatches = searchNewestFirst(
	async (context, page, size) =>
		await askForList(context, partner.dispatchList, {
			query: { companyId: chosenCompany(context), page, perPage: size },
		}),
	({ id, name, status, createdAt }) => ({
		name: `${name} (${id}, ${String(createdAt).slice(0, 10)}, ${status.toLowerCase()})`,
		value: id,
	}),
	({ id }) => id,
);

const loadDocuments = async (context: ILoadOptionsFunctions) => {
	const documents = await askForList(context, partner.documentList, {
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
	searchSenders: searchAll(async (context) => await loadSenders(context)),
	searchDocuments: searchAll(loadDocuments),
};
