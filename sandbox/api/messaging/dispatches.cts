import { ApiError, found } from '../apiError.cts';
import { isIndexed } from '../dialect.cts';
import { addMessages, startDispatch, stopDispatch } from '../../time/dispatches.cts';
import type { Dispatch, Message } from '../../stored/entities.cts';
import { pageOf } from '../pages.cts';
import type { Route } from '../route.cts';
import { accountLedger, type Store } from '../../stored/store.cts';
import { isoOf } from '../../stored/views.cts';
import type { World } from '../../stored/world.cts';
import { dispatchCalls, type ListedDispatch } from './dispatchCalls.cts';

/** Only `sending` is published. The others are the words of the provider's website. */
const statusWords: Readonly<Record<Dispatch['status'], string>> = {
	CREATED: 'planned',
	STARTED: 'sending',
	STOPPED: 'stopped',
	COMPLETED: 'finished',
};

/** The code of a rejected recipient in the reference's example. Its meaning isn't published. */
const rejectedRecipient = 7401;

const wrongStatus = ({ id, status }: Dispatch) =>
	new ApiError(403, 4031, `Wrong dispatch status: dispatch ${id} is ${statusWords[status]}`);

const countsOf = (messages: readonly Message[], sizeOf: (message: Message) => number) => {
	const counts = { total: 0, delivered: 0, undelivered: 0, unsent: 0, sent: 0, sending: 0 };
	for (const message of messages) {
		const { state } = message;
		const size = sizeOf(message);
		counts.total += size;
		if (state === 'created') counts.sending += size;
		else if (state !== 'inbound_sent') counts[state] += size;
	}
	return counts;
};

const viewOf = ({ settings, senders }: Store, dispatch: Dispatch): ListedDispatch => ({
	dispatchId: dispatch.id,
	dispatchName: dispatch.name,
	created: isoOf(dispatch.createdAt),
	localSendTime: null,
	localCompletionTime: null,
	useLocalTime: true,
	status: statusWords[dispatch.status],
	source: senders.get(dispatch.senderIds[0] ?? 0)?.senderName ?? '',
	message: dispatch.text,
	trafficCenterId: settings.defaultTrafficCenterId,
	trafficCenterName: 'Main',
	base: { included: null, excluded: null },
	parts: countsOf(dispatch.messages, ({ parts }) => parts),
	messages: countsOf(dispatch.messages, () => 1),
});

/** Dispatches that were created on the provider's website belong to the account, not to a company. */
const isOfAccount = ({ companyId }: Dispatch) => companyId === accountLedger;

export const messagingDispatchRoutes = (route: Route, world: World): void => {
	const dispatchOf = (id: number) => {
		const dispatch = world.store.dispatches.get(id);
		return found(dispatch && isOfAccount(dispatch) ? dispatch : undefined, 'dispatch', id);
	};

	route(dispatchCalls.dispatchList, ({ query }) => {
		const { store, timeline } = world;
		const { created_from: from, created_to: to, page, per_page: size } = query;
		const matching = [...store.dispatches.values()].filter(
			(dispatch) =>
				isOfAccount(dispatch) &&
				isIndexed(store.settings.dialect, dispatch, timeline.now) &&
				(query.dispatch_id ?? dispatch.id) === dispatch.id &&
				(query.dispatch_name ?? dispatch.name) === dispatch.name &&
				(query.status ?? statusWords[dispatch.status]) === statusWords[dispatch.status] &&
				(query.traffic_center_id ?? store.settings.defaultTrafficCenterId) ===
					store.settings.defaultTrafficCenterId &&
				(from === undefined || dispatch.createdAt >= Date.parse(from)) &&
				(to === undefined || dispatch.createdAt <= Date.parse(to)),
		);
		const cut = pageOf(matching, { page, size, usual: 100 }, store.settings.dialect.pageSize);
		return { total: cut.total, items: cut.items.map((dispatch) => viewOf(store, dispatch)) };
	});

	route(dispatchCalls.dispatchAppend, ({ path: { dispatchId }, body }) => {
		const dispatch = dispatchOf(dispatchId);
		if (dispatch.status !== 'CREATED') throw wrongStatus(dispatch);
		const before = dispatch.messages.length;
		addMessages(world, dispatch, body);
		return dispatch.messages
			.slice(before)
			.map(({ destination, uuid, state }) =>
				state === 'created'
					? { destination, messageUuid: uuid }
					: { destination, errorCode: rejectedRecipient },
			);
	});

	route(dispatchCalls.dispatchStart, ({ path: { dispatchId } }) => {
		const dispatch = dispatchOf(dispatchId);
		if (dispatch.status !== 'CREATED') throw wrongStatus(dispatch);
		startDispatch(world, dispatch);
		return { dispatchId };
	});

	route(dispatchCalls.dispatchStop, ({ path: { dispatchId } }) => {
		const dispatch = dispatchOf(dispatchId);
		if (dispatch.status !== 'STARTED') throw wrongStatus(dispatch);
		stopDispatch(world, dispatch);
		return '' as const;
	});
};
