import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import type { SenderEntry } from '../../../core/contract/sender';
import { channelOptions } from '../../shared/channels';
import { brandOptions, senderStatusOptions } from '../shared/options';
import { askForList, chosenCompany } from './ask';

const nameOf = (options: ReadonlyArray<{ name: string; value: string }>, value: string) =>
	options.find((option) => option.value === value)?.name ?? value;

const describeSender = ({ senderName, channelType, brand, status, suspended }: SenderEntry) =>
	[
		senderName,
		nameOf(channelOptions, channelType),
		nameOf(brandOptions, brand),
		`${nameOf(senderStatusOptions, status)}${suspended ? ', Suspended' : ''}`,
	].join(' · ');

/** The sender names of the chosen company, as entries of a list. */
export const loadSenders = async (
	context: ILoadOptionsFunctions,
	isWanted: (sender: SenderEntry) => boolean = () => true,
) => {
	const senders = await askForList(context, partner.senderList, {
		query: { companyId: chosenCompany(context) },
	});
	return senders
		.filter(isWanted)
		.map((sender) => ({ name: describeSender(sender), value: sender.id }));
};
