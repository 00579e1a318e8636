import { readNumber } from '../../../../core/engine/coerce';
import { toQuoted, UnfitValueError } from '../../../../core/engine/errors';
import type { Param } from '../../../../core/engine/params';

export const dispatchIdParam = {
	displayName: 'Dispatch ID',
	name: 'dispatchId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.dispatchId }}',
	description:
		"The dispatchId that 'Get Many' returns. Create the dispatch on the provider's website: how the API creates one isn't published.",
} as const satisfies Param;

export const toDispatchId = (text: string): number => {
	const id = readNumber(text);
	if (id !== undefined && Number.isSafeInteger(id) && id > 0) return id;
	throw new UnfitValueError(
		dispatchIdParam.displayName,
		`must be a whole number, 1 or greater, but is ${toQuoted(text)}`,
	);
};
