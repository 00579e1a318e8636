import type { z } from '../../vendor/zod';

/*
 * Everything that isn't marked as assumed is stated in the provider's published interface; tests compare it with a transcript. An
 * assumption may be wrong, so no value is rejected because of an assumed size, length or spelling, and an assumed path can be
 * changed in the credential.
 */

/** The reasons for our assumptions. */
export const whyAssumed = {
	named:
		'The documentation mentions this call but shows neither its path nor its body. We use what public clients of similar services send.',
	body: 'The documentation shows no body for this call. Public clients of similar services send this field.',
	reply:
		'The documentation shows no response for this call. Public clients of similar services read this field.',
	filter: "The documentation doesn't list this filter. Public clients of similar services send it.",
	paging:
		"The documentation doesn't say how this list is divided into pages. Public clients of similar services do it like this.",
	// Not a guess: everything with this reason is published, one step below what the interface states.
	published:
		"The interface description only names this. The provider's public reference describes it.",
	likePartner:
		'No documentation describes this. We use the names that the partner API has for the same thing.',
} as const;

/** The same schema, marked as an assumption. */
const assumed = <Schema extends z.ZodTypeAny>(why: string, schema: Schema): Schema =>
	// `describe` returns a copy, so our own additions are kept, such as the known values of an open set.
	Object.assign(schema.describe(why), 'known' in schema && { known: schema.known });

/** Why a part of the contract is assumed; `undefined` if the interface states it. */
export const assumptionOf = ({ description }: z.ZodTypeAny): string | undefined => description;

/** Marks all fields of a group as an assumption. */
export const allAssumed = <Shape extends z.ZodRawShape>(why: string, shape: Shape): Shape =>
	Object.fromEntries(
		Object.entries(shape).map(([name, schema]) => [name, assumed(why, schema)]),
		// The names and types stay the same.
	) as Shape;
