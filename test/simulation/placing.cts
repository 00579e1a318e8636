import type { Recipient, StoredDispatch, StoredMessage } from './records.cts';

/** The text that a recipient gets. */
export const filledText = (text: string, { substitutions = {}, customText }: Recipient): string =>
	customText ?? text.replace(/\{(\w+)\}/g, (whole, name: string) => substitutions[name] ?? whole);

/** The answer to creating a dispatch and to adding recipients. */
export const createdBody = (
	{ id }: StoredDispatch,
	added: readonly StoredMessage[],
	price: number,
) => {
	const accepted = added.filter(({ isAccepted }) => isAccepted);
	return {
		id,
		status: 'CREATED',
		priceEstimate: { total: accepted.length * price, currency: 'RUB', parts: accepted.length },
		total: added.length,
		success: accepted.length,
		failed: added.length - accepted.length,
		messages: accepted.map(({ uuid, destination, parts, senderId }) => ({
			destination,
			messageUuid: uuid,
			parts,
			senderId,
		})),
	};
};
