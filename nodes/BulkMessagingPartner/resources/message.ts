import type { IDataObject } from 'n8n-workflow';
import { partner, PartnerMessage } from '../../../core/contract/partner';
import { outcomeByStatus } from '../../../core/contract/readEvent';
import { toItem } from '../../../core/engine/items';
import { defineOperation, type Resource } from '../../../core/engine/operation';
import { z } from '../../../vendor/zod';
import { filterCollection, limit, returnAll, simplifyParam } from '../../shared/lists';
import { companyForList, dispatchId } from '../../shared/locators';
import { messageStatusOptions } from '../../shared/options';
import { whyFailed } from '../../dispatches/tell/whyFailed';

/** Fields that few people need. */
const hiddenNames = {
	senderId: true,
	brandId: true,
	createdAt: true,
	parts: true,
	status: true,
} as const;
const hiddenFields: ReadonlySet<string> = new Set(Object.keys(hiddenNames));

/** The same columns as a dispatch's rows. */
const SimpleDispatchMessage = z
	.object({
		destination: z.string(),
		outcome: z.string(),
		reason: z.string(),
		reasonCode: z.string(),
	})
	.extend(PartnerMessage.omit({ ...hiddenNames, messageUuid: true }).shape)
	.extend({ messageUuid: z.string(), dispatchId: z.number() });

/** Keeps fields that aren't in the published interface: they may say why a message failed. */
const toSimpleMessage = (message: unknown, dispatch: number): IDataObject => {
	const item = toItem(message);
	const shown = Object.entries(item).filter(([name]) => !hiddenFields.has(name));
	const outcome = outcomeByStatus(item.status);
	const own = {
		...(item.destination !== undefined && { destination: item.destination }),
		outcome,
		...(outcome === 'failed' && whyFailed(item)),
	};
	const { messageUuid, ...others } = Object.fromEntries(shown);
	const ids = { ...(messageUuid !== undefined && { messageUuid }), dispatchId: dispatch };
	// Twice: to come first on the screen, and so that fields in the response don't replace them.
	return { ...own, ...others, ...own, ...ids };
};

const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many messages',
	description: "List a dispatch's messages with their texts, outcomes and prices",
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
