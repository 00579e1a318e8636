import { z } from '../../vendor/zod';
import { messagingEndpoint } from './endpoint';
import { ApiMessage } from './message';
import { allAssumed, whyAssumed } from './provenance';
import { FlashCallResult, strictObject } from './values';

/* Single calls that only the provider's public reference describes. They can move to a level of their own. */
const { published } = whyAssumed;

export const publishedEndpoints = {
	/** Also finds inbound messages, unlike the list without its filter `direction`. */
	messageGet: messagingEndpoint('GET', '/v1/message/{id}', {
		assumed: published,
		pathParams: z.object(allAssumed(published, { id: z.string().min(1) })),
		reply: ApiMessage,
		echoes: { messageUuid: 'path.id' },
	}),
	/** The response isn't published. */
	flashCallResult: messagingEndpoint('POST', '/flashcall-conversion', {
		assumed: published,
		body: strictObject(
			allAssumed(published, {
				messageUuid: z.string().min(1),
				result: FlashCallResult,
				code: z.string().optional(),
			}),
		),
		reply: z.unknown(),
		echoes: { messageUuid: 'body.messageUuid' },
	}),
};
