import type {
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import { findPlaceholders } from '../../../core/recipients/placeholders';
import type { Sender } from '../../../core/contract/sender';
import type { z } from '../../../vendor/zod';
import { channelOptions } from '../../shared/channels';
import { brandOptions, senderStatusOptions } from '../shared/options';
import { ask, chosenCompany, hasCompany, searchAll, searchPages } from './ask';

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

type SenderEntry = z.output<typeof Sender>;

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
	context: ILoadOptionsFunctions,
	isWanted: (sender: SenderEntry) => boolean = () => true,
) => {
	const senders = await ask(context, partner.senderList, {
		query: { companyId: chosenCompany(context) },
	});
	return senders
		.filter(isWanted)
		.map((sender) => ({ name: describeSender(sender), value: sender.id }));
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
	searchSenders: searchAll(async (context) => await loadSenders(context)),
	searchDocuments: searchAll(loadDocuments),
};

/** For a dispatch: only what can be used in it, so that nothing is chosen that is refused afterwards. */
export const loadOptions = {
	async getSenders(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		// An empty list, not a fault, as long as there is no company: n8n shows a fault in place of the field.
		if (!hasCompany(this)) return [];
		const channel = this.getCurrentNodeParameter('channelType');
		const isListed = channelOptions.some(({ value }) => value === channel);
		return await loadSenders(
			this,
			({ channelType, status, suspended }) =>
				status === 'APPROVED' && !suspended && (!isListed || channelType === channel),
		);
	},
};

/** The placeholders of the text, as fields to map. */
export const resourceMapping = {
	async getPlaceholders(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const text = this.getCurrentNodeParameter('text');
		return {
			fields: findPlaceholders(String(text ?? '')).map((name) => ({
				id: name,
				displayName: `{${name}}`,
				required: false,
				defaultMatch: false,
				display: true,
				type: 'string',
			})),
		};
	},
};
