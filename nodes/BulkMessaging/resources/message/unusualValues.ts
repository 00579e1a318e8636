import { usualLimits } from '../../../../core/contract/usual';
import { displayNameOf, type Param } from '../../../../core/engine/params';
import { channelOptions } from '../../../shared/channels';
import { contentParams, ownId, senderName, textLabelOf } from './params/content';
import { sendOptions } from './params/options';

const [contentFormat] = contentParams;
const fields: readonly Param[] = [senderName, ownId, sendOptions];

const channelNameOf = (channelType: string): string =>
	channelOptions.find(({ value }) => value === channelType)?.name ?? channelType;

/**
 * Hints about values that the provider's interface doesn't rule out, but that are unusual. The node sends them anyway. `isText`: the
 * user entered a text, and the node made the content from it.
 */
export const unusualIn = (
	message: Readonly<Record<string, unknown>>,
	isText: boolean,
): string[] => {
	const channelType = String(message.channelType);
	const now = Date.now();
	const hints: string[] = [];
	for (const { field, channels, usually, usuallyText = usually, fits } of usualLimits) {
		const value = message[field];
		if (value === undefined || channels?.includes(channelType) === false) continue;
		if (fits(value, message, now)) continue;
		const contentLabel = isText ? textLabelOf(channelType) : contentFormat.displayName;
		const label = displayNameOf(fields, field) ?? contentLabel;
		const where = channels === undefined ? '' : ` for ${channelNameOf(channelType)}`;
		hints.push(
			`'${label}' is usually ${isText ? usuallyText : usually}${where}. The service may reject this value.`,
		);
	}
	return hints;
};
