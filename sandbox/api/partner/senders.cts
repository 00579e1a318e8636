import { senderEndpoints, senderNameProblem } from '../../../core/contract/sender';
import { badRequest, found, notFound } from '../apiError.cts';
import { companyOf } from '../../time/dispatches.cts';
import type { Sender } from '../../stored/entities.cts';
import { planReview } from '../../time/review.cts';
import type { Route } from '../route.cts';
import { senderView } from '../../stored/views.cts';
import type { World } from '../../stored/world.cts';

const russia = 1;
const countryCodeOf = ({ countryId }: Sender) => (countryId === russia ? 'RU' : String(countryId));

const senderOf = ({ store }: World, id: number) => found(store.senders.get(id), 'sender', id);

/** "identifiers of documents earlier uploaded for the company" */
const checkDocuments = ({ store }: World, companyId: number, ids: readonly string[] = []): void => {
	for (const id of ids) {
		if (store.documents.get(id)?.companyId !== companyId) {
			throw notFound(`document ${id} does not exist for company ${companyId}`);
		}
	}
};

/** Statuses in which the name can be changed. A change after the review would need another review. */
const open = new Set<Sender['status']>(['DRAFT', 'REJECTED']);

export const senderRoutes = (route: Route, world: World): void => {
	route(senderEndpoints.senderCreate, ({ body }) => {
		const { store, timeline } = world;
		companyOf(world, body.companyId);
		checkDocuments(world, body.companyId, body.documentIds);
		const sender: Sender = {
			...body,
			id: ++store.lastIds.sender,
			countryId: body.countryId ?? russia,
			documentIds: body.documentIds ?? [],
			dateFrom: Date.parse(body.dateFrom),
			dateTo: null,
			status: 'DRAFT',
			suspended: false,
			fee: null,
			managerComment: null,
			rejectedAt: null,
			createdAt: timeline.now,
		};
		store.senders.set(sender.id, sender);
		planReview(world, sender);
		return senderView(store, sender);
	});

	route(senderEndpoints.senderList, ({ query }) => {
		const { store } = world;
		companyOf(world, query.companyId);
		const { brand, commonType, status, channelType, countryCode } = query;
		return [...store.senders.values()]
			.filter(
				(sender) =>
					sender.companyId === query.companyId &&
					(brand?.includes(sender.brand) ?? true) &&
					(commonType?.includes(sender.commonType) ?? true) &&
					(status?.includes(sender.status) ?? true) &&
					(channelType?.includes(sender.channelType) ?? true) &&
					(countryCode?.includes(countryCodeOf(sender)) ?? true),
			)
			.map((sender) => senderView(store, sender));
	});

	route(senderEndpoints.senderGet, ({ path: { id }, query: { companyId } }) => {
		const sender = senderOf(world, id);
		if (companyId !== undefined && companyId !== sender.companyId) {
			throw notFound(`sender ${id} does not exist for company ${companyId}`);
		}
		return senderView(world.store, sender);
	});

	route(senderEndpoints.senderUpdate, ({ path: { id }, body }) => {
		const { store, timeline } = world;
		const sender = senderOf(world, id);
		if (sender.status === 'CLOSED' || sender.status === 'DENIED') {
			throw badRequest(`sender ${id} is ${sender.status} and cannot be changed`);
		}
		const { senderName, commonType, dateFrom, dateTo, documentIds } = body;
		const renames = (senderName ?? sender.senderName) !== sender.senderName;
		const retypes = (commonType ?? sender.commonType) !== sender.commonType;
		if ((renames || retypes) && !open.has(sender.status)) {
			const field = renames ? 'senderName' : 'commonType';
			throw badRequest(`${field}: cannot be changed while the sender is ${sender.status}`);
		}
		const problem = senderName === undefined ? undefined : senderNameProblem(senderName, sender);
		if (problem !== undefined) throw badRequest(`senderName: ${problem}`);
		checkDocuments(world, sender.companyId, documentIds);
		const from = dateFrom === undefined ? sender.dateFrom : Date.parse(dateFrom);
		const to = dateTo === undefined ? sender.dateTo : Date.parse(dateTo);
		if (to !== null && to < from) throw badRequest('dateTo: must not be before dateFrom');
		if (dateTo !== undefined && Date.parse(dateTo) < timeline.now) {
			throw badRequest('dateTo: must not be in the past');
		}
		Object.assign(sender, {
			senderName: senderName ?? sender.senderName,
			commonType: commonType ?? sender.commonType,
			documentIds: documentIds ?? sender.documentIds,
			dateFrom: from,
			dateTo: to,
		} satisfies Partial<Sender>);
		if (dateTo !== undefined && to !== null) {
			timeline.plan(to, { kind: 'sender-close', senderId: id });
		}
		return senderView(store, sender);
	});

	route(senderEndpoints.senderSuspend, ({ path: { id }, body }) => {
		const sender = senderOf(world, id);
		sender.suspended = true;
		if (body?.reason !== undefined) sender.suspendReason = body.reason;
		return senderView(world.store, sender);
	});

	route(senderEndpoints.senderUnsuspend, ({ path: { id } }) => {
		const sender = senderOf(world, id);
		sender.suspended = false;
		delete sender.suspendReason;
		return senderView(world.store, sender);
	});
};
