import type { Param } from '../../../../core/engine/params';
import { wholeNumberIn } from '../../../../core/transport/replyShape';
import type { DispatchId } from '../../../dispatches/plan/rows';

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

/** The service shows numbers. Any other text is sent as it is: that every ID is a number isn't stated. */
export const toDispatchId = (text: string): DispatchId => {
	const given = text.trim();
	const id = wholeNumberIn(given);
	return id && String(id) === given ? id : given;
};
