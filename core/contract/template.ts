import { z } from '../../vendor/zod';
import { messagingEndpoint } from './endpoint';
import { from } from './provenance';
import { Id, Int, looseObject, OpenId, OpenPathId, strictObject, TextOrNull } from './values';

/*
 * Templates of the messaging API. The interface only names them and one filter; the provider's public reference describes reading
 * and changing one.
 */

/** `pattern` has operands such as `%w`. `content` is only for WhatsApp, `brand` for SMS, `countryCode` for Viber. */
export const ApiTemplate = looseObject(
	from('page', {
		id: Int,
		channelType: TextOrNull,
		templateType: TextOrNull,
		pattern: TextOrNull,
		status: TextOrNull,
		senderNameId: Int.nullish(),
		senderName: TextOrNull,
		brand: TextOrNull,
		countryCode: TextOrNull,
		content: looseObject({}).nullish(),
		managerComment: TextOrNull,
		dateFrom: TextOrNull,
		dateTo: TextOrNull,
		createdAt: TextOrNull,
		rejectedAt: TextOrNull,
	}),
);

const templatePath = z.object(from('page', { template_id: OpenPathId }));

export const templateEndpoints = {
	templateGet: messagingEndpoint('GET', '/templates/{template_id}', {
		source: 'page',
		key: 'entities',
		pathParams: templatePath,
		reply: ApiTemplate,
		idField: 'id',
	}),
	/** The response isn't published. */
	templateUpdate: messagingEndpoint('PUT', '/templates/{template_id}', {
		source: 'page',
		key: 'entities',
		pathParams: templatePath,
		body: strictObject(
			from('page', {
				dateFrom: z.string().optional(),
				dateTo: z.string().optional(),
				pattern: z.string().min(1).optional(),
			}),
		),
		replyType: 'any',
		reply: z.unknown(),
		idField: 'id',
	}),
	/** Only the filter is named, and not as repeatable. We use the path and the pages of the API's other lists. */
	templateList: messagingEndpoint('GET', '/templates', {
		source: 'guess',
		key: 'entities',
		pathSetting: 'templateListPath',
		query: z.object({
			template_id: OpenId.optional(),
			...from('guess', { page: Id.optional(), per_page: Id.optional() }),
		}),
		paging: { number: 'page', size: 'per_page', defaultSize: 100, key: 'id', mayBeBare: true },
		reply: looseObject(from('guess', { total: Int, items: z.array(ApiTemplate) })),
	}),
};
