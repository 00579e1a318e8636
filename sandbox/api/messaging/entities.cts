import { Brand, CommonType } from '../../../core/contract/values';
import { badRequest, found } from '../apiError.cts';
import type { Sender, Template } from '../../stored/entities.cts';
import { parse } from '../input.cts';
import { pageOf } from '../pages.cts';
import type { Route } from '../route.cts';
import { addSender } from '../../stored/seedParts.cts';
import { accountLedger } from '../../stored/store.cts';
import { isoOf } from '../../stored/views.cts';
import type { World } from '../../stored/world.cts';
import { entityCalls, type ShownSenderName } from './entityCalls.cts';

const isoOrNull = (time: number | null) => (time === null ? null : isoOf(time));

const templateView = (template: Template) => ({
	...template,
	dateFrom: isoOf(template.dateFrom),
	dateTo: isoOrNull(template.dateTo),
	createdAt: isoOf(template.createdAt),
	rejectedAt: isoOrNull(template.rejectedAt),
});

const senderNameView = (sender: Sender): ShownSenderName => ({
	id: sender.id,
	senderName: sender.senderName,
	channelType: sender.channelType,
	commonType: sender.commonType,
	brand: sender.brand,
	status: sender.status,
	dateFrom: isoOf(sender.dateFrom),
	dateTo: isoOrNull(sender.dateTo),
	managerComment: sender.managerComment,
	createdAt: isoOf(sender.createdAt),
	rejectedAt: isoOrNull(sender.rejectedAt),
});

/** The statuses in which the reference allows a change, for SMS only. `dateTo` can always be changed. */
const changeable = {
	dateFrom: ['INTERNAL_REVIEW', 'EXTERNAL_REVIEW', 'REJECTED'],
	pattern: ['INTERNAL_REVIEW', 'REJECTED'],
};

export const entityRoutes = (route: Route, world: World): void => {
	const templateOf = (id: number) => found(world.store.templates.get(id), 'template', id);

	route(entityCalls.templateGet, ({ path }) => templateView(templateOf(path.template_id)));

	route(entityCalls.templateUpdate, ({ path, body: { dateFrom, dateTo, pattern } }) => {
		const template = templateOf(path.template_id);
		const { channelType, status } = template;
		for (const [name, value] of Object.entries({ dateFrom, pattern })) {
			const isAllowed =
				channelType === 'SMS' && changeable[name as keyof typeof changeable].includes(status);
			if (value !== undefined && !isAllowed) {
				throw badRequest(`${name}: cannot be changed for ${channelType} in ${status}`);
			}
		}
		if (dateFrom !== undefined) template.dateFrom = Date.parse(dateFrom);
		if (dateTo !== undefined) template.dateTo = Date.parse(dateTo);
		if (pattern !== undefined) template.pattern = pattern;
		return '' as const;
	});

	route(entityCalls.templateList, ({ query: { template_id: wanted, page, per_page: size } }) => {
		const { templates, settings } = world.store;
		const matching = [...templates.values()].filter(({ id }) => (wanted ?? id) === id);
		const cut = pageOf(matching, { page, size, usual: 100 }, settings.dialect.pageSize);
		return { total: cut.total, items: cut.items.map(templateView) };
	});

	route(entityCalls.senderNameCreate, ({ body: { body: given, ...files } }) => {
		const { timeline } = world;
		const { senderName, channelType, dateFrom = isoOf(timeline.now) } = given;
		const brand = parse(Brand, given.brand ?? 'MTS', 'brand');
		const commonType = parse(CommonType, given.commonType ?? 'COMMON', 'commonType');
		if (commonType === 'PROMO' && Object.keys(files).length === 0) {
			throw badRequest('file1: a PROMO name needs files');
		}
		if (brand === 'MEGAFON' && /[+ ]/.test(senderName)) {
			throw badRequest('senderName: "+" and spaces are not allowed for MEGAFON');
		}
		if (Number.isNaN(Date.parse(dateFrom))) throw badRequest('dateFrom: is not a date and time');
		const sender = addSender(world, {
			companyId: accountLedger,
			senderName,
			channelType,
			brand,
			commonType,
			dateFrom: Date.parse(dateFrom),
			documentIds: Object.keys(files).sort(),
			status: 'DRAFT',
		});
		return senderNameView(sender);
	});

	route(entityCalls.senderNameList, ({ query }) => {
		const { senders, settings } = world.store;
		const { channel_type: channel, country_code: country, page, per_page: size } = query;
		// All of them belong to Russia, except those with another country ID.
		const matching = [...senders.values()].filter(
			({ channelType, countryId }) =>
				(channel ?? channelType) === channelType &&
				(country === undefined || (country === 'RU') === (countryId === 1)),
		);
		const cut = pageOf(matching, { page, size, usual: 100 }, settings.dialect.pageSize);
		return { total: cut.total, items: cut.items.map(senderNameView) };
	});
};
