import type { IDataObject } from 'n8n-workflow';
import { Dispatch } from '../../../../core/contract/dispatch';
import { toItem } from '../../../../core/engine/items';
import { isRecord } from '../../../../core/json';
import { wholeNumberIn } from '../../../../core/transport/replyShape';
import { z } from '../../../../vendor/zod';
import { readEstimate } from './report/figures';

/** Uses the field names of Create and Send, because the service's responses name the same things differently. */
export const SimpleDispatch = z.object({ dispatchId: z.number() }).extend({
	...Dispatch.omit({ id: true, priceEstimate: true }).shape,
	priceEstimate: z.object({
		total: z.number(),
		currency: z.string(),
		parts: z.number(),
	}),
});

export const MovedDispatch = SimpleDispatch.pick({ dispatchId: true, status: true });

/** Everything in the response about a dispatch, under the field names that the other operations use. */
export const toDispatchItem = (
	reply: unknown,
	{ simplify = true }: { simplify?: boolean } = {},
): IDataObject => {
	const item = toItem(reply);
	if (!simplify || !isRecord(reply)) return item;
	const { id, priceEstimate: given, ...others } = item;
	const own = id === undefined ? {} : { dispatchId: id };
	const renamed: IDataObject = { ...own, ...others, ...own };
	if (given === undefined) return renamed;
	const { total, currency } = readEstimate(reply);
	const parts = isRecord(reply.parts) ? wholeNumberIn(reply.parts.total) : undefined;
	const asGiven = isRecord(given) ? (given as IDataObject) : {};
	const known = Object.entries({ total, currency, parts, ...asGiven }).filter(
		([, value]) => value !== undefined && value !== null,
	);
	return known.length === 0 ? renamed : { ...renamed, priceEstimate: Object.fromEntries(known) };
};
