import type { Company, Sender } from './entities.cts';
import type { World } from './world.cts';

export const day = 86_400_000;

export const addCompany = (
	{ store, timeline }: World,
	company: Pick<Company, 'name'> & Partial<Company>,
): Company => {
	const added: Company = {
		id: ++store.lastIds.company,
		counteragentType: 'LEGAL',
		counteragentName: company.name,
		counteragentInn: '7700000000',
		status: 'ACTIVE',
		budget: null,
		updatedAt: timeline.now,
		...company,
	};
	store.companies.set(added.id, added);
	return added;
};

export const addSender = (
	{ store, timeline }: World,
	sender: Pick<Sender, 'companyId' | 'senderName' | 'brand'> & Partial<Sender>,
): Sender => {
	const added: Sender = {
		id: ++store.lastIds.sender,
		channelType: 'SMS',
		commonType: 'COMMON',
		countryId: 1,
		documentIds: [],
		dateFrom: timeline.now - day,
		dateTo: null,
		status: 'APPROVED',
		suspended: false,
		fee: null,
		managerComment: null,
		rejectedAt: null,
		createdAt: timeline.now,
		...sender,
	};
	store.senders.set(added.id, added);
	return added;
};
