import { companyEndpoints } from '../../../core/contract/company';
import { badRequest } from '../apiError.cts';
import { companyOf } from '../../time/dispatches.cts';
import type { Company } from '../../stored/entities.cts';
import { mostRubles, toUnits, type Units } from '../../stored/money.cts';
import { pageOf } from '../pages.cts';
import type { Route } from '../route.cts';
import { companyView, documentView, isoOf } from '../../stored/views.cts';
import type { World } from '../../stored/world.cts';

const budgetOf = (budget: number): Units => {
	if (budget > mostRubles) throw badRequest(`budget: must not be above ${mostRubles}`);
	return toUnits(budget);
};

export const companyRoutes = (route: Route, world: World): void => {
	route(companyEndpoints.companyCreate, ({ body: { company, budget } }) => {
		const { store, timeline } = world;
		const units = budget === undefined ? null : budgetOf(budget);
		const created: Company = {
			...company,
			id: ++store.lastIds.company,
			counteragentName: company.name,
			status: 'ACTIVE',
			budget: units,
			updatedAt: timeline.now,
		};
		store.companies.set(created.id, created);
		return { companyId: created.id };
	});

	route(companyEndpoints.companyList, ({ query: { page, per_page: size } }) => {
		const { companies, settings } = world.store;
		const paging = { page, size, usual: 10 };
		const cut = pageOf([...companies.values()], paging, settings.dialect.pageSize);
		return { ...cut, items: cut.items.map(companyView) };
	});

	route(companyEndpoints.companyUpdate, ({ path: { id }, body }) => {
		const company = companyOf(world, id);
		const { budget, status, name, actualAddress } = body;
		if (budget !== undefined) company.budget = budgetOf(budget);
		if (status !== undefined) company.status = status;
		if (name !== undefined) company.name = name;
		if (actualAddress !== undefined) company.actualAddress = actualAddress;
		company.updatedAt = world.timeline.now;
		return { companyId: id, updatedAt: isoOf(company.updatedAt) };
	});

	route(companyEndpoints.documentUpload, ({ path: { id }, body: { file } }) => {
		const { store, timeline } = world;
		companyOf(world, id);
		const { filename, contentType, bytes } = file;
		const document = {
			id: world.uuid(),
			companyId: id,
			filename,
			contentType,
			size: bytes.length,
			createdAt: timeline.now,
		};
		store.documents.set(document.id, document);
		return documentView(document);
	});

	route(companyEndpoints.documentList, ({ path: { id } }) => {
		companyOf(world, id);
		return [...world.store.documents.values()]
			.filter(({ companyId }) => companyId === id)
			.map(documentView);
	});
};
