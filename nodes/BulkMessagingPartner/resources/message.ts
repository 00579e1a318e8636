import type { IDataObject } from 'n8n-workflow';
import { messageErrorText } from '../../../core/contract/errors';
import { partner, PartnerMessage } from '../../../core/contract/partner';
import { outcomeByStatus } from '../../../core/contract/readEvent';
import { toItem } from '../../../core/engine/items';
import { defineOperation, type Resource } from '../../../core/engine/operation';
import { z } from '../../../vendor/zod';
import { filterCollection, limit, returnAll, simplifyParam } from '../../shared/lists';
import { companyForList, dispatchId } from '../shared/locators';
import { messageStatusOptions } from '../shared/options';

/** Fields that few people need. */
const hiddenFields: ReadonlySet<string> = new Set(['senderId', 'brandId', 'createdAt']);

const SimpleDispatchMessage = z
	.object({ dispatchId: z.number(), outcome: z.string() })
	.extend(PartnerMessage.omit({ senderId: true, brandId: true, createdAt: true }).shape);

/** Keeps fields that aren't in the published interface: they may say why a message failed. */
const toSimpleMessage = (message: unknown, dispatch: number): IDataObject => {
	const item = toItem(message);
	const shown = Object.entries(item).filter(([name]) => !hiddenFields.has(name));
	const errorMeaning = messageErrorText(item.errorCode);
	const own = {
		dispatchId: dispatch,
		outcome: outcomeByStatus(item.status),
		...(errorMeaning !== undefined && { errorMeaning }),
	};
	// Twice: to come first on the screen, and so that fields in the response don't replace them.
	return { ...own, ...Object.fromEntries(shown), ...own };
};

const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many messages',
	description: "List a dispatch's messages with their texts, statuses and prices",
	endpoint: partner.messageList,
	output: SimpleDispatchMessage,
	// Every parameter that changes the result.
	onceFor: ({ dispatchId: dispatch, filters, returnAll: isAll, limit: most, simplify }) =>
		JSON.stringify([dispatch, filters, isAll || most, simplify]),
	params: [
		companyForList,
		dispatchId,
		returnAll,
		limit,
		filterCollection([
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: messageStatusOptions,
				default: 'DELIVERED',
			},
		]),
		simplifyParam,
	],
	request: ({ dispatchId: dispatch, filters }) => ({ query: { dispatchId: dispatch, ...filters } }),
	toItems: (messages, { simplify: isSimple, dispatchId: dispatch }) =>
		messages.map((message) => (isSimple ? toSimpleMessage(message, dispatch) : toItem(message))),
});

export const message: Resource = {
	value: 'message',
	name: 'Message',
	description: 'One message in a dispatch',
	operations: [getAll],
};
