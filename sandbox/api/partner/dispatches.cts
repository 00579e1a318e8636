import { dispatchEndpoints } from '../../../core/contract/dispatch';
import type { ReplyOf } from '../../../core/contract/endpoint';
import { badRequest, found } from '../apiError.cts';
import { isIndexed } from '../dialect.cts';
import { createDispatch } from '../../time/dispatchCreate.cts';
import {
	activeCompany,
	addMessages,
	companyOf,
	startDispatch,
	stopDispatch,
} from '../../time/dispatches.cts';
import type { Dispatch } from '../../stored/entities.cts';
import { currency, fromUnits } from '../../stored/money.cts';
import { pageOf } from '../pages.cts';
import type { Route } from '../route.cts';
import { accountLedger } from '../../stored/store.cts';
import { dispatchView } from '../../stored/views.cts';
import type { World } from '../../stored/world.cts';

type Created = ReplyOf<typeof dispatchEndpoints.dispatchCreate>;
type Recipients = Parameters<typeof addMessages>[2];

/** The account's own dispatches belong to the messaging API. */
const dispatchOf = ({ store }: World, id: number) => {
	const dispatch = store.dispatches.get(id);
	return found(dispatch?.companyId === accountLedger ? undefined : dispatch, 'dispatch', id);
};

/** The counts are for this request only. `GET /dispatches/{id}` has those of the whole dispatch. */
const add = (world: World, dispatch: Dispatch, recipients: Recipients): Created => {
	const { accepted, estimate, parts } = addMessages(world, dispatch, recipients);
	return {
		id: dispatch.id,
		status: dispatch.status,
		priceEstimate: { total: fromUnits(estimate), currency, parts },
		total: recipients.length,
		success: accepted.length,
		failed: recipients.length - accepted.length,
		messages: accepted.map(({ destination, uuid, parts, senderId }) => ({
			destination,
			messageUuid: uuid,
			parts,
			senderId: senderId ?? 0,
		})),
	};
};

export const dispatchRoutes = (route: Route, world: World): void => {
	route(dispatchEndpoints.dispatchCreate, ({ body: { messages, ...dispatch } }) =>
		add(world, createDispatch(world, dispatch), messages),
	);

	route(dispatchEndpoints.dispatchAppend, ({ path: { id }, body: { messages } }) => {
		const dispatch = dispatchOf(world, id);
		// "Allowed only while the dispatch is in CREATED."
		if (dispatch.status !== 'CREATED') {
			throw badRequest(
				`dispatch ${id} is ${dispatch.status}: messages can be added only in CREATED`,
			);
		}
		activeCompany(world, dispatch.companyId);
		return add(world, dispatch, messages);
	});

	route(dispatchEndpoints.dispatchStart, ({ path: { id } }) => {
		const dispatch = dispatchOf(world, id);
		startDispatch(world, dispatch);
		return { id, status: dispatch.status };
	});

	route(dispatchEndpoints.dispatchStop, ({ path: { id } }) => {
		const dispatch = dispatchOf(world, id);
		stopDispatch(world, dispatch);
		return { id, status: dispatch.status };
	});

	route(dispatchEndpoints.dispatchList, ({ query }) => {
		const { companyId, status, page, perPage: size } = query;
		const { dispatches, settings } = world.store;
		companyOf(world, companyId);
		const matching = [...dispatches.values()].filter(
			(dispatch) =>
				dispatch.companyId === companyId &&
				(status === undefined || dispatch.status === status) &&
				isIndexed(settings.dialect, dispatch, world.timeline.now),
		);
		const cut = pageOf(matching, { page, size, usual: 10 }, settings.dialect.pageSize);
		return { ...cut, items: cut.items.map(dispatchView) };
	});

	route(dispatchEndpoints.dispatchGet, ({ path: { id } }) => dispatchView(dispatchOf(world, id)));
};
