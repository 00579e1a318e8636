import { messaging } from '../../../core/contract/messaging';
import { ApiTemplate } from '../../../core/contract/template';
import { defineOperation, type Resource } from '../../../core/engine/operation';
import type { Param } from '../../../core/engine/params';
import { ServiceError } from '../../../core/transport/outcome';
import { requireReadable } from '../../../core/transport/readable';
import { checkRequest, send } from '../../../core/transport/send';
import {
	limit,
	listingOf,
	oneByOne,
	requestsOf,
	requireSome,
	returnAll,
	simplifiedTo,
	simplifyParam,
	updateCollection,
} from '../../shared/lists';

/** The fields people usually need. */
const SimpleTemplate = ApiTemplate.pick({
	pattern: true,
	content: true,
	status: true,
	managerComment: true,
	channelType: true,
	senderName: true,
	brand: true,
	dateFrom: true,
	dateTo: true,
	id: true,
});

const templateId = {
	displayName: 'Template ID',
	name: 'template_id',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 512',
	description: "You find it in your account on the provider's website",
} as const satisfies Param;

const toTemplateItem = simplifiedTo(SimpleTemplate);

const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get template',
	description:
		'Get a template with its status. It needs an API key for sender names and templates.',
	endpoint: messaging.templateGet,
	output: SimpleTemplate,
	params: [templateId, simplifyParam],
	request: ({ template_id: id }) => ({ path: { template_id: id.trim() } }),
	toItems: (template, values) => [toTemplateItem(template, values)],
});

const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many templates',
	description: 'List templates. It needs an API key for sender names and templates.',
	output: SimpleTemplate,
	...listingOf(
		messaging.templateList,
		({ template_id }: { template_id: string | undefined }) => requestsOf({}, { template_id }),
		toTemplateItem,
	),
	params: [
		returnAll,
		limit,
		{
			displayName: 'Template IDs',
			name: 'template_id',
			type: 'string',
			default: '',
			placeholder: 'e.g. 512, 513',
			description: `Only these templates. ${oneByOne}.`,
		},
		simplifyParam,
	],
});

const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update template',
	done: { one: 'template updated', many: 'templates updated' },
	description:
		'Change a template, then return it as the service stores it. It needs an API key for sender names and templates.',
	output: SimpleTemplate,
	restsOn: messaging.templateUpdate,
	effect: 'repeatable',
	params: [
		templateId,
		updateCollection([
			{
				displayName: 'Pattern',
				name: 'pattern',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				whenEmpty: 'refuse',
				description:
					'For SMS, while the template is in internal review or rejected. It contains operands such as %w.',
			},
			{
				displayName: 'Valid From',
				name: 'dateFrom',
				type: 'dateTime',
				default: '',
				whenEmpty: 'refuse',
				description: 'For SMS, while the template is in review or rejected',
			},
			{
				displayName: 'Valid Until',
				name: 'dateTo',
				type: 'dateTime',
				default: '',
				whenEmpty: 'refuse',
				description: 'After this time, the template can no longer be used',
			},
		]),
		simplifyParam,
	],
	check: ({ template_id: id, updateFields }) => {
		const body = requireSome(updateFields);
		checkRequest(messaging.templateUpdate, { path: { template_id: id.trim() }, body });
	},
	each: async ({ template_id: id, updateFields: body, simplify }, { context }) => {
		const path = { template_id: id.trim() };
		await send(context, messaging.templateUpdate, { path, body });
		// The response to a change isn't published, so the template itself shows the result.
		const reply = await send(context, messaging.templateGet, { path }).catch((error: unknown) => {
			throw error instanceof ServiceError
				? error.after(
						`The service accepted the change of template ${path.template_id}, but the node couldn't read the template afterwards.`,
					)
				: error;
		});
		const template = await requireReadable(context, messaging.templateGet, reply);
		return [toTemplateItem(template, { simplify })];
	},
});

export const template: Resource = {
	value: 'template',
	name: 'Template',
	description: 'Registered texts that messages have to match',
	operations: [getAll, get, update],
};
