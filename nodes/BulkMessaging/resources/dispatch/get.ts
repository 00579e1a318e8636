import type { IDataObject } from 'n8n-workflow';
import { withoutCode } from '../../../../core/contract/dispatchName';
import { messaging } from '../../../../core/contract/messaging';
import { MessagingDispatch } from '../../../../core/contract/messagingDispatch';
import { toItem } from '../../../../core/engine/items';
import { defineOperation } from '../../../../core/engine/operation';
import type { ValuesOf } from '../../../../core/engine/params';
import { isRecord } from '../../../../core/json';
import {
	filterCollection,
	limit,
	listingOf,
	oneByOne,
	requestsOf,
	returnAll,
	simplifyParam,
} from '../../../shared/lists';
import { inUtc } from '../../../shared/times';
import { z } from '../../../../vendor/zod';
import { findDispatch } from '../../../dispatches/ask/messaging';
import { dispatchIdParam, toDispatchId } from './params';

/** The names that the partner node's dispatches have. */
const SimpleListedDispatch = z.object({
	...MessagingDispatch.pick({ dispatchId: true, status: true }).shape,
	name: z.string(),
	senderName: z.string(),
	text: z.string(),
	createdAt: z.string(),
	...MessagingDispatch.pick({ localSendTime: true, parts: true, messages: true }).shape,
});

const toListedDispatch = (entry: unknown, { simplify }: { simplify: boolean }): IDataObject => {
	const item = toItem(entry);
	if (!simplify || !isRecord(entry)) return item;
	const { dispatchId, status, dispatchName, source, message, created, ...others } = item;
	const { localSendTime, parts, messages } = others;
	return {
		dispatchId,
		name: typeof dispatchName === 'string' ? withoutCode(dispatchName) : dispatchName,
		status,
		senderName: source,
		text: message,
		createdAt: created,
		localSendTime,
		parts,
		messages,
	};
};

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get dispatch',
	description:
		'Get a dispatch with its status and how many messages are sent, delivered and undelivered',
	output: SimpleListedDispatch,
	restsOn: messaging.dispatchList,
	effect: 'reads',
	onceFor: ({ dispatchId, simplify }) => `${toDispatchId(dispatchId)} ${simplify}`,
	params: [dispatchIdParam, simplifyParam],
	each: async ({ dispatchId, simplify }, run) => [
		toListedDispatch(await findDispatch(run, toDispatchId(dispatchId)), { simplify }),
	],
});

const campaignFilters = filterCollection([
	{
		displayName: 'Created After',
		name: 'created_from',
		type: 'dateTime',
		default: '',
		description: "Uses the workflow's time zone unless the value contains one",
	},
	{
		displayName: 'Created Before',
		name: 'created_to',
		type: 'dateTime',
		default: '',
		description: "Uses the workflow's time zone unless the value contains one",
	},
	{
		displayName: 'Dispatch IDs',
		name: 'dispatch_id',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.dispatchId }}',
		description: `Only these dispatches. ${oneByOne}.`,
	},
	{
		displayName: 'Name',
		name: 'dispatch_name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Spring bouquets',
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'string',
		default: '',
		placeholder: 'e.g. sending',
		description:
			"As the service writes it. The provider's reference shows only sending; 'Get Many' without this filter shows the others.",
	},
	{
		displayName: 'Traffic Center IDs',
		name: 'traffic_center_id',
		type: 'string',
		default: '',
		placeholder: 'e.g. 12',
		description: `You find them in your account on the provider's website. ${oneByOne}.`,
	},
]);

/** Several values of a filter need several requests. A dispatch must match one of them. */
const toDispatchRequests = ({
	filters: { dispatch_id, traffic_center_id, ...filters },
}: ValuesOf<readonly [typeof campaignFilters]>) =>
	requestsOf(
		{
			...filters,
			created_from: inUtc(filters.created_from, Math.floor),
			created_to: inUtc(filters.created_to, Math.ceil),
			// The service writes it in small letters.
			status: filters.status?.trim().toLowerCase(),
		},
		{ dispatch_id, traffic_center_id },
	);

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many dispatches',
	description: 'List dispatches with their progress',
	output: SimpleListedDispatch,
	params: [returnAll, limit, campaignFilters, simplifyParam],
	...listingOf(messaging.dispatchList, toDispatchRequests, toListedDispatch),
});
