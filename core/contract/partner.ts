import { z } from '../../vendor/zod';
import { companyEndpoints } from './company';
import { dispatchEndpoints } from './dispatch';
import { partnerEndpoint } from './endpoint';
import { priceEndpoints } from './price';
import { senderEndpoints } from './sender';
import { Datetime, Id, Int, looseObject, MessageStatus, listPage, strictObject } from './values';

/** A message of a dispatch. `text` is the final text, with the placeholders replaced. */
export const PartnerMessage = looseObject({
	messageUuid: z.string(),
	destination: z.string(),
	text: z.string(),
	parts: Int,
	status: MessageStatus,
	price: z.number().nullish(),
	senderId: Int.nullish(),
	brandId: Int.nullish(),
	createdAt: Datetime,
	sentAt: Datetime.nullish(),
	deliveredAt: Datetime.nullish(),
});

const RecipientUpdate = strictObject({
	companyId: Id,
	msisdn: z.string().min(1),
	blacklist: z.boolean(),
	comment: z.string().optional(),
});

export const Recipient = looseObject({
	msisdn: z.string(),
	companyId: Int,
	blacklist: z.boolean(),
});

/** Every call of the partner API at `{base_url}`. */
export const partner = {
	/** Repeatable, because a second token does no harm. */
	token: partnerEndpoint('POST', '/auth/token', {
		auth: 'none',
		repeatable: true,
		body: strictObject({ login: z.string().min(1), password: z.string().min(1) }),
		reply: looseObject({ token: z.string().min(1) }),
	}),
	...companyEndpoints,
	...senderEndpoints,
	...dispatchEndpoints,
	messageList: partnerEndpoint('GET', '/messages', {
		query: z.object({
			dispatchId: Id,
			status: MessageStatus.optional(),
			page: Id.optional(),
			perPage: Id.optional(),
		}),
		paging: { number: 'page', size: 'perPage', defaultSize: 100, key: 'messageUuid' },
		reply: listPage(PartnerMessage),
	}),
	recipientUpdate: partnerEndpoint('PUT', '/recipients', {
		body: RecipientUpdate,
		reply: Recipient,
	}),
	...priceEndpoints,
};
