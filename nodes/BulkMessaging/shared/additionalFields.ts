import { UnfitValueError } from '../../../core/engine/errors';
import type { Param } from '../../../core/engine/params';

export const additionalFields = {
	displayName: 'Additional Fields (JSON)',
	name: 'additionalFields',
	type: 'json',
	default: '{}',
	description:
		'Whatever your account can do that has no field here. What has a field cannot be given here too.',
} as const satisfies Param;

/** What the user adds as JSON. It may not speak about what has a field: nobody could tell which of the two counts. */
export const toAdditional = (
	value: unknown,
	named: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
	if (value === undefined || value === null) return {};
	if (typeof value !== 'object' || Array.isArray(value)) {
		throw new UnfitValueError(
			additionalFields.displayName,
			'must be an object such as {"name": 1}',
		);
	}
	const own = Object.keys(value).find((name) => Object.hasOwn(named, name));
	if (own === undefined) return value as Record<string, unknown>;
	throw new UnfitValueError(
		additionalFields.displayName,
		`must not hold ${own}: it has a field of its own`,
	);
};
