import { plainTextChannels, usualMessage } from '../../../../core/contract/messaging';

/** What is assumed about the fields of a message, in words that name them as the screen does. */
const usual: Readonly<Record<keyof typeof usualMessage, (channelType: string) => string>> = {
	ttl: () => "'Time to Live (Seconds)' is usually 60 to 90,000, for Voice Code from 30 on.",
	tags: () => "'Tags' usually contain only Latin letters, digits and _.",
	externalMessageId: () => "'Custom Message ID' usually has at most 100 characters.",
	content: (channelType) =>
		channelType === 'FLASHCALL'
			? 'The content of a Flash Call is usually a code of four digits, as a plain text.'
			: `'Content' is usually ${plainTextChannels.has(channelType) ? 'a plain text' : 'an object'} for ${channelType}.`,
};

const isField = (name: string): name is keyof typeof usualMessage =>
	Object.hasOwn(usualMessage, name);

/** Values that the provider's interface allows, and that public clients never send. They travel; a hint says so. */
export const unusualIn = (message: Readonly<Record<string, unknown>>): string[] => {
	const channelType = String(message.channelType);
	return Object.keys(message).flatMap((name) => {
		const value = message[name];
		if (!isField(name) || value === undefined || usualMessage[name](value, channelType)) return [];
		return [`${usual[name](channelType)} The service may reject this value.`];
	});
};
