import { UnfitValueError } from '../../core/engine/errors';
import type { Param } from '../../core/engine/params';
import { isRecord } from '../../core/json';

export const additionalFields = {
	displayName: 'Additional Fields (JSON)',
	name: 'additionalFields',
	type: 'json',
	default: '{}',
	description:
		"Fields of the provider's interface that this node doesn't have, by their names there. If the node has the field, the value here is sent instead; null leaves it out.",
} as const satisfies Param;

/** What the user adds as JSON. */
export const toAdditional = (value: unknown): Record<string, unknown> => {
	if (value === undefined || value === null) return {};
	if (isRecord(value)) {
		// What is left out is left out of the request, whatever the screen says.
		const entries = Object.entries(value).map(([name, one]) => [name, one ?? undefined] as const);
		return Object.fromEntries(entries);
	}
	throw new UnfitValueError(additionalFields.displayName, 'must be an object such as {"name": 1}');
};

/** Which fields of the screen it replaces, in words; nothing where it replaces none. */
export const replacedIn = (
	additional: Readonly<Record<string, unknown>>,
	body: Readonly<Record<string, unknown>>,
): string[] => {
	const names = Object.keys(additional).filter(
		(name) => Object.hasOwn(body, name) && body[name] !== undefined,
	);
	return names.length === 0
		? []
		: [`'${additionalFields.displayName}' replaces ${names.join(', ')}.`];
};
