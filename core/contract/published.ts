import { z } from '../../vendor/zod';
import { messagingEndpoint } from './endpoint';
import { ApiMessage } from './message';
import { from } from './provenance';
import { FlashCallResult, strictObject } from './values';

/* Single calls that only public material describes. */

export const publishedEndpoints = {
	/** Also finds inbound messages, unlike the list without its filter `direction`. The reference doesn't show its path. */
	messageGet: messagingEndpoint('GET', '/v1/message/{id}', {
		source: 'client',
		pathParams: z.object(from('client', { id: z.string().min(1) })),
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
