import { UnfitValueError } from '../../../../../core/engine/errors';
import type { Run } from '../../../../../core/engine/operation';
import { toDigits } from '../../../../../core/recipients/phone';
import { defaultCountry } from '../../../../shared/phone';
import { testParam } from '../params/head';

/**
 * The only number that gets the test, as digits; `undefined` if no test is wanted. It applies to the whole run and can't be an
 * expression: an expression that is empty for some items would send to the real recipients.
 */
export const testNumberOf = (run: Run<unknown>): string | undefined => {
	const { displayName } = testParam;
	const testTo = String(run.readerOf(testParam)(0) ?? '').trim();
	if (testTo === '') return undefined;
	if (testTo.includes('{')) {
		throw new UnfitValueError(
			displayName,
			'needs a phone number, not an expression: each run sends one test to one number',
		);
	}
	const { digits, reason } = toDigits(testTo, run.readerOf(defaultCountry)(0));
	if (digits !== undefined) return digits;
	throw new UnfitValueError(displayName, `${JSON.stringify(testTo)} ${reason}`);
};
