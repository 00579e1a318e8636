import { demo } from '../demo.cts';
import { createDispatch } from '../time/dispatchCreate.cts';
import type { Template } from './entities.cts';
import { addMessages, startDispatch } from '../time/dispatches.cts';
import { handleEvent } from '../time/events.cts';
import { toUnits } from './money.cts';
import { addCompany, addSender, day } from './seedParts.cts';
import type { World } from './world.cts';

/** In the order of the ids in demo.cts. */
const addSenders = (world: World): void => {
	const { flowers, travel, bakery } = demo.companies;
	const { now } = world.timeline;
	const own = { companyId: flowers, senderName: demo.senderNames.sms };
	addSender(world, { ...own, brand: 'MTS', fee: toUnits(2_500) });
	addSender(world, { ...own, brand: 'BEELINE' });
	addSender(world, { ...own, brand: 'MEGAFON' });
	addSender(world, { ...own, brand: 'TELE2' });
	const messengers = { companyId: flowers, brand: 'MTS' } as const;
	addSender(world, { ...messengers, senderName: demo.senderNames.viber, channelType: 'VIBER' });
	addSender(world, {
		...messengers,
		senderName: demo.senderNames.whatsapp,
		channelType: 'WHATSAPP',
	});
	addSender(world, {
		companyId: flowers,
		senderName: 'FLOWERSALE',
		brand: 'BEELINE',
		commonType: 'PROMO',
		status: 'DRAFT',
	});
	addSender(world, {
		companyId: flowers,
		senderName: 'FLOWERSALE',
		brand: 'MTS',
		commonType: 'PROMO',
		status: 'EXTERNAL_REVIEW',
	});
	addSender(world, {
		companyId: flowers,
		senderName: 'ROSES!',
		brand: 'MEGAFON',
		status: 'REJECTED',
		managerComment: 'A letter that confirms your right to the name is missing.',
		rejectedAt: now - day,
	});
	addSender(world, {
		companyId: flowers,
		senderName: 'OLDNAME',
		brand: 'TELE2',
		status: 'CLOSED',
		dateFrom: now - 300 * day,
		dateTo: now - 30 * day,
	});
	addSender(world, {
		companyId: flowers,
		senderName: 'FLOWERSVIP',
		brand: 'TELE2',
		suspended: true,
		suspendReason: 'Complaints from recipients',
	});
	addSender(world, { companyId: travel, senderName: 'NORTHWIND', brand: 'MTS' });
	addSender(world, { companyId: bakery, senderName: 'BAKERY', brand: 'MTS' });
	addSender(world, { companyId: bakery, senderName: 'BAKERY', brand: 'TELE2' });
	addSender(world, {
		companyId: flowers,
		senderName: demo.senderNames.general,
		brand: 'MTS',
		commonType: 'MULTISIGNATURE',
	});
};

/** A dispatch that was created and sent some days ago, with the same code as any other. */
const addPastDispatch = (
	world: World,
	daysAgo: number,
	name: string,
	text: string,
	names: Record<string, string>,
) => {
	const { timeline } = world;
	const present = timeline.now;
	timeline.now = present - daysAgo * day;
	const { mts, beeline, megafon, tele2 } = demo.senders;
	const dispatch = createDispatch(world, {
		companyId: demo.companies.flowers,
		name,
		senderIds: [mts, beeline, megafon, tele2],
		channelType: 'SMS',
		text,
	});
	const recipients = Object.entries(names).map(([destination, first]) => ({
		destination,
		substitutions: { name: first },
	}));
	addMessages(world, dispatch, recipients);
	startDispatch(world, dispatch);
	timeline.run(present, (event) => handleEvent(world, event));
};

const addTemplates = ({ store, timeline }: World): void => {
	const { inReview, whatsapp, closed } = demo.templates;
	const since = timeline.now - 20 * day;
	const common = {
		templateType: 'SERVICE',
		dateFrom: since,
		dateTo: null,
		senderNameId: demo.senders.mts,
		senderName: demo.senderNames.sms,
		countryCode: null,
		managerComment: null,
		createdAt: since,
		rejectedAt: null,
		content: null,
	};
	const sms = { ...common, channelType: 'SMS', brand: 'MTS' };
	const all: Template[] = [
		{ ...sms, id: inReview, pattern: 'Your order %w is ready', status: 'INTERNAL_REVIEW' },
		{
			...common,
			id: whatsapp,
			channelType: 'WHATSAPP',
			brand: null,
			pattern: null,
			status: 'APPROVED',
			senderNameId: demo.senders.whatsapp,
			senderName: demo.senderNames.whatsapp,
			content: { header: { text: 'Camomile Flowers' } },
		},
		{ ...sms, id: closed, pattern: 'Tulips are here, %w', status: 'CLOSED', dateTo: since + day },
	];
	for (const template of all) store.templates.set(template.id, template);
};

/** Three companies (one DISABLED, one nearly out of budget), their senders, two past dispatches, a template, a test number. */
export const demoData = (world: World): void => {
	const { store, timeline } = world;
	const { numbers } = demo;
	addCompany(world, {
		name: 'Camomile Flowers LLC',
		counteragentInn: '7701234567',
		counteragentKpp: '770101001',
		budget: toUnits(50_000),
	});
	addCompany(world, {
		name: 'Northwind Travel LLC',
		counteragentInn: '7802345678',
		status: 'DISABLED',
		budget: toUnits(20_000),
	});
	addCompany(world, {
		name: 'Warm Bread Bakery',
		counteragentType: 'INDIVIDUAL',
		counteragentInn: '540112345678',
		budget: toUnits(1_500),
	});
	timeline.now -= 10 * day;
	addSenders(world);
	timeline.now += 10 * day;
	addPastDispatch(
		world,
		5,
		'Spring bouquets',
		'Dear {name}, tulips are here. Show this message for 10% off.',
		{
			[numbers.mts]: 'Anna',
			[numbers.beeline]: 'Boris',
			[numbers.megafon]: 'Vera',
			[numbers.tele2]: 'Gleb',
			[numbers.undelivered]: 'Daria',
			[numbers.noOperator]: 'Egor',
		},
	);
	addPastDispatch(world, 2, 'Order reminder', '{name}, ваш заказ ждёт вас до 20:00.', {
		[numbers.mts]: 'Анна',
		[numbers.megafon]: 'Вера',
		[numbers.tele2]: 'Глеб',
	});
	addTemplates(world);
	store.authorizationTemplates = [{ text: demo.authorizationTemplate }];
	store.settings.testNumbers = [numbers.test];
	// It has spent almost its whole budget: the rest doesn't pay for one message.
	store.ledger(demo.companies.bakery, timeline.now).spent = toUnits(1_498.5);
};
