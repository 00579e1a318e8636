import { UnfitValueError } from '../../core/engine/errors';
import type { Param } from '../../core/engine/params';
import { isRecord } from '../../core/json';

export const additionalFields = {
	displayName: 'Additional Fields (JSON)',
	name: 'additionalFields',
	type: 'json',
	default: '{}',
	description:
		"Fields of the provider's API that this node doesn't have, by their API names. A value here replaces the field of the same name in the node; null removes it.",
} as const satisfies Param;

/** The fields that the user adds as JSON. */
export const toAdditional = (value: unknown): Record<string, unknown> => {
	if (value === undefined || value === null) return {};
	if (isRecord(value)) {
		// A null here removes the field from the request, even if it is filled in on the screen.
		const entries = Object.entries(value).map(([name, one]) => [name, one ?? undefined] as const);
		return Object.fromEntries(entries);
	}
	throw new UnfitValueError(additionalFields.displayName, 'must be an object such as {"name": 1}');
};

/** A hint that lists the fields it replaces; empty if it replaces none. A null doesn't remove the fields in `kept`. */
export const replacedIn = (
	additional: Readonly<Record<string, unknown>>,
	body: Readonly<Record<string, unknown>>,
	kept: readonly string[] = [],
): string[] => {
	const names = Object.keys(additional).filter(
		(name) =>
			Object.hasOwn(body, name) &&
			body[name] !== undefined &&
			!(additional[name] === undefined && kept.includes(name)),
	);
	return names.length === 0
		? []
		: [`'${additionalFields.displayName}' replaces ${names.join(', ')}.`];
};
