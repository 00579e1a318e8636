import { z } from '../../vendor/zod';
import { messagingEndpoint } from './endpoint';
import { ApiMessage } from './message';
import { from } from './provenance';
import { FlashCallResult, strictObject } from './values';

/* Single calls that only the provider's public reference describes. */

export const publishedEndpoints = {
	/** Also finds inbound messages, unlike the list without its filter `direction`. */
	messageGet: messagingEndpoint('GET', '/v1/message/{id}', {
		source: 'page',
		pathParams: z.object(from('page', { id: z.string().min(1) })),
		reply: ApiMessage,
		echoes: { messageUuid: 'path.id' },
	}),
	/** The response isn't published. */
	flashCallResult: messagingEndpoint('POST', '/flashcall-conversion', {
		source: 'page',
		body: strictObject(
			from('page', {
				messageUuid: z.string().min(1),
				result: FlashCallResult,
				code: z.string().optional(),
			}),
		),
		reply: z.unknown(),
		echoes: { messageUuid: 'body.messageUuid' },
	}),
};
