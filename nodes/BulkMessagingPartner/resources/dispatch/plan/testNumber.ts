import { UnfitValueError } from '../../../../../core/engine/errors';
import type { Run } from '../../../../../core/engine/operation';
import { toDigits } from '../../../../../core/recipients/phone';
import { defaultCountry } from '../../../../shared/phone';
import { testParam } from '../params/head';

/**
 * The number that alone gets a test, as the service gets it; `undefined` when none is wanted. One for the whole run, and no
 * expression: one that gives nothing, or nothing for some items, would send to everybody else.
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
