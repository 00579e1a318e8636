import { UnfitValueError } from '../../../../../core/engine/errors';
import { toDigits } from '../../../../../core/recipients/phone';

/** The number of a test, as the service gets it; `undefined` when none is wanted. */
export const testNumberOf = (testTo: string | undefined, country: string): string | undefined => {
	if (testTo === undefined || testTo.trim() === '') return undefined;
	const { digits, reason } = toDigits(testTo, country);
	if (digits !== undefined) return digits;
	throw new UnfitValueError('Send a Test To', `${JSON.stringify(testTo)} ${reason}`);
};
