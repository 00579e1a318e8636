import type { IDataObject } from 'n8n-workflow';
import { Dispatch } from '../../../../core/contract/dispatch';
import { withoutCode } from '../../../../core/contract/dispatchName';
import { toItem } from '../../../../core/engine/items';
import { isRecord } from '../../../../core/json';
import { wholeNumberIn } from '../../../../core/transport/replyShape';
import { z } from '../../../../vendor/zod';
import { readEstimate } from '../../../dispatches/report/figures';

/** Uses the field names of Create and Send, because the service's responses name the same things differently. */
export const SimpleDispatch = Dispatch.omit({ id: true, priceEstimate: true }).extend({
	priceEstimate: z.object({
		total: z.number(),
		currency: z.string(),
		parts: z.number(),
	}),
	dispatchId: z.number(),
});

export const MovedDispatch = SimpleDispatch.pick({ status: true, dispatchId: true });

/** Everything in the response about a dispatch, under the field names that the other operations use. */
export const toDispatchItem = (
	reply: unknown,
	{ simplify = true }: { simplify?: boolean } = {},
): IDataObject => {
	const item = toItem(reply);
	if (!simplify || !isRecord(reply)) return item;
	const { id, priceEstimate: given, ...others } = item;
	if (typeof others.name === 'string') others.name = withoutCode(others.name);
	const own = id === undefined ? {} : { dispatchId: id };
	delete others.dispatchId;
	if (given === undefined) return { ...others, ...own };
	const { total, currency } = readEstimate(reply);
	const parts = isRecord(reply.parts) ? wholeNumberIn(reply.parts.total) : undefined;
	const asGiven = isRecord(given) ? (given as IDataObject) : {};
	const known = Object.entries({ total, currency, parts, ...asGiven }).filter(
		([, value]) => value !== undefined && value !== null,
	);
	const priceEstimate = Object.fromEntries(known);
	return { ...others, ...(known.length > 0 && { priceEstimate }), ...own };
};
