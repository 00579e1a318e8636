import { createHash } from 'crypto';
import { isEvent, type CallbackElement } from './parse';
import { timeOf } from './simplify';

const identityOf = (element: CallbackElement): unknown[] => {
	if (!isEvent(element)) return [element.event, element.raw];
	const { event, raw } = element;
	const id = raw.message_uuid ?? raw.messageUuid;
	const occurrence = [id, event, raw.status, timeOf(element)];
	// A link can be followed, and a price changed, twice in one second.
	if (event === 'click') return [...occurrence, raw.url];
	return event === 'price' ? [...occurrence, raw.price, raw.parts] : occurrence;
};

/** Equal for a callback and its resend, different for everything else; short, whatever the service puts into a field. */
export const keyOf = (element: CallbackElement): string =>
	createHash('sha256')
		.update(JSON.stringify(identityOf(element)))
		.digest('base64')
		.slice(0, 24);
