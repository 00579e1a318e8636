import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { channelOptions } from '../../shared/channels';
import { hasCompany } from './ask';
import { loadSenders } from './senders';

const companyMissing = 'Choose a company first';

/** For a dispatch: lists only sender names that it can use, so that a chosen name isn't rejected later. */
export const loadOptions = {
	async getSenders(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		// Not an error, because n8n shows errors in place of the field. Choosing this entry is rejected like any other wrong ID.
		if (!hasCompany(this)) return [{ name: companyMissing, value: '' }];
		const channel = this.getCurrentNodeParameter('channelType');
		const isListed = channelOptions.some(({ value }) => value === channel);
		return await loadSenders(
			this,
			({ channelType, status, suspended }) =>
				status === 'APPROVED' && !suspended && (!isListed || channelType === channel),
		);
	},
};
