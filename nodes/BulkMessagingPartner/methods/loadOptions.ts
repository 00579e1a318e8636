import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { channelOptions } from '../../shared/channels';
import { hasCompany } from './ask';
import { loadSenders } from './senders';

const companyMissing = 'Choose a company first';

/** For a dispatch: only what can be used in it, so that nothing is chosen that is refused afterwards. */
export const loadOptions = {
	async getSenders(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		// Not an error: n8n shows one in place of the field. Choosing this entry is refused like any other wrong ID.
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
