import type { Row } from '../../nodes/dispatches/plan/rows';
import { numberOf, rowOf, text } from './recipients.cts';
import { sortRecipients } from './sorting.cts';

const crowdSize = 5_000;

/** Numbers the service refuses, one in every hundred. */
export const blocked = Array.from({ length: crowdSize }, (_, index) => index)
	.filter((index) => index % 100 === 7)
	.map(numberOf);
const blockedNumbers = new Set(blocked);

/** With numbers nobody can read and numbers that come again. */
export const rows: Row[] = Array.from({ length: crowdSize }, (_, index) => {
	if (index % 97 === 5) return rowOf(index, 'call me');
	if (index % 89 === 11) return rowOf(index, numberOf(index - 11));
	return rowOf(index);
});

export const { accepted, rejected } = sortRecipients(rows, {
	text,
	missingValues: 'stop',
	hasOtherText: false,
});

export const isTakeable = ({ recipient }: (typeof accepted)[number]) =>
	!blockedNumbers.has(recipient.destination);

/** Whom the service takes in the end. */
export const takeable = accepted.filter(isTakeable);
