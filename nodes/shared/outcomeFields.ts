import type { OutcomeFields } from '../../core/engine/items';

/** How results say what became of a message. */
export const outcomeFields: OutcomeFields = {
	always: ['outcome', 'messageUuid'],
	others: ['status', 'reason', 'reasonCode', 'alreadySent'],
};
