import { plainTextChannels, usualMessage } from '../../../../core/contract/messaging';
import { channelOptions } from '../../../shared/channels';

const labelOf = (channelType: string): string =>
	channelOptions.find(({ value }) => value === channelType)?.name ?? channelType;

/** The usual values of a message's fields, which are named by their labels. */
const usual: Readonly<Record<keyof typeof usualMessage, (channelType: string) => string>> = {
	ttl: () => "'Time to Live (Seconds)' is usually 60 to 90,000, or 30 to 90,000 for Voice Code.",
	tags: () => "'Tags' usually contain only Latin letters, digits and _.",
	externalMessageId: () => "'Custom Message ID' usually has at most 100 characters.",
	content: (channelType) =>
		channelType === 'FLASHCALL'
			? "A Flash Call's content is usually a four-digit code as plain text."
			: `'Content' is usually ${plainTextChannels.has(channelType) ? 'plain text' : 'an object'} for ${labelOf(channelType)}.`,
};

const isField = (name: string): name is keyof typeof usualMessage =>
	Object.hasOwn(usualMessage, name);

/** Hints about values that the provider's interface allows but public clients never send. The node sends them anyway. */
export const unusualIn = (message: Readonly<Record<string, unknown>>): string[] => {
	const channelType = String(message.channelType);
	const hints: string[] = [];
	for (const name of Object.keys(message)) {
		const value = message[name];
		if (!isField(name) || value === undefined || usualMessage[name](value, channelType)) continue;
		hints.push(`${usual[name](channelType)} The service may reject this value.`);
	}
	return hints;
};
