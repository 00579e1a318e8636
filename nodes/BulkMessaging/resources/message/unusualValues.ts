import { usualLimits } from '../../../../core/contract/usual';
import { displayNameOf, type Param } from '../../../../core/engine/params';
import { channelOptions } from '../../../shared/channels';
import { contentParams, ownId, senderName } from './params/content';
import { sendOptions } from './params/options';

const [contentFormat] = contentParams;
const fields: readonly Param[] = [senderName, ownId, sendOptions];

const channelNameOf = (channelType: string): string =>
	channelOptions.find(({ value }) => value === channelType)?.name ?? channelType;

/** Hints about values that the provider's interface doesn't rule out, but that are unusual. The node sends them anyway. */
export const unusualIn = (message: Readonly<Record<string, unknown>>): string[] => {
	const channelType = String(message.channelType);
	const now = Date.now();
	const hints: string[] = [];
	for (const { field, channels, usually, fits } of usualLimits) {
		const value = message[field];
		if (value === undefined || channels?.includes(channelType) === false) continue;
		if (fits(value, message, now)) continue;
		const label = displayNameOf(fields, field) ?? contentFormat.displayName;
		const where = channels === undefined ? '' : ` for ${channelNameOf(channelType)}`;
		hints.push(`'${label}' is usually ${usually}${where}. The service may reject this value.`);
	}
	return hints;
};
