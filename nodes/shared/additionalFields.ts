import { UnfitValueError } from '../../core/engine/errors';
import type { Param } from '../../core/engine/params';
import { isRecord } from '../../core/json';

export const additionalFields = {
	displayName: 'Additional Fields (JSON)',
	name: 'additionalFields',
	type: 'json',
	default: '{}',
	description:
		'Whatever your account can do that has no field here. A name that has a field replaces its value.',
} as const satisfies Param;

/** What the user adds as JSON. */
export const toAdditional = (value: unknown): Record<string, unknown> => {
	if (value === undefined || value === null) return {};
	if (isRecord(value)) return value;
	throw new UnfitValueError(additionalFields.displayName, 'must be an object such as {"name": 1}');
};

/** Which fields of the screen it replaces, in words; nothing where it replaces none. */
export const replacedIn = (
	additional: Readonly<Record<string, unknown>>,
	body: Readonly<Record<string, unknown>>,
): string[] => {
	const names = Object.keys(additional).filter((name) => body[name] !== undefined);
	return names.length === 0
		? []
		: [`'${additionalFields.displayName}' replaces ${names.join(', ')}.`];
};
