import type { z } from '../../vendor/zod';

/*
 * Whatever isn't marked here is stated in the provider's published interface; tests hold that against a transcript of it. An
 * assumption may be wrong: about the size, length or spelling of a value it never refuses one, and the path of an endpoint can be
 * changed in the credential.
 */

/** Why we believe what the interface doesn't show. */
export const whyAssumed = {
	named:
		'The interface names it and shows neither path nor body. The shape is what public clients of similar services send.',
	body: 'The interface shows no body for this call. Public clients of similar services send this field.',
	reply:
		'The interface shows no reply for this call. Public clients of similar services read this field.',
	filter: 'The interface does not list this filter. Public clients of similar services send it.',
	paging:
		'The interface does not say how this list is paged. Public clients of similar services page it like this.',
} as const;

/** The same schema, marked as an assumption. */
const assumed = <Schema extends z.ZodTypeAny>(why: string, schema: Schema): Schema =>
	// With what we have added to it, such as the known values of an open set.
	Object.assign(schema.describe(why), 'known' in schema && { known: schema.known });

/** Why a part of the contract is only assumed; `undefined` where the interface states it. */
export const assumptionOf = ({ description }: z.ZodTypeAny): string | undefined => description;

/** All fields of a group, marked alike. */
export const allAssumed = <Shape extends z.ZodRawShape>(why: string, shape: Shape): Shape =>
	Object.fromEntries(
		Object.entries(shape).map(([name, schema]) => [name, assumed(why, schema)]),
		// The same names with the same types.
	) as Shape;
