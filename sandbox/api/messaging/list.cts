import { badRequest, found } from '../apiError.cts';
import { readFilters, isIndexed } from '../dialect.cts';
import type { Message } from '../../stored/entities.cts';
import { countryOf } from '../../stored/operators.cts';
import { pageOf } from '../pages.cts';
import type { Route } from '../route.cts';
import type { Store } from '../../stored/store.cts';
import { apiMessageView } from '../../stored/views.cts';
import type { World } from '../../stored/world.cts';
import { calls, listWindow, type Filters } from './calls.cts';

type Test = (message: Message) => boolean;

/** The bounds are in UTC. */
const timeOf = (name: string, text: string): number => {
	const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text) ? Date.parse(text) : NaN;
	if (Number.isNaN(time)) throw badRequest(`${name}: must look like 2026-03-01T07:00:00Z`);
	return time;
};

/** The time that the bounds apply to: of sending, or of becoming unsent. A message that waits has none. */
const boundTime = ({ sentAt, statusAt, state }: Message): number =>
	sentAt ?? (state === 'unsent' ? statusAt : null) ?? NaN;

/** One test per given filter. A repeated parameter matches any of its values. */
const testsOf = (store: Store, filters: Filters): Test[] => {
	const tests: Test[] = [];
	const ownIdOf = ({ single }: Message) =>
		store.settings.dialect.ownIds === 'lost' ? undefined : single?.externalMessageId;
	const among = (wanted: readonly unknown[] | undefined, read: (message: Message) => unknown) => {
		if (wanted === undefined) return;
		const values = new Set(wanted);
		tests.push((message) => values.has(read(message)));
	};
	const dispatchOf = ({ dispatchId }: Message) =>
		dispatchId === null ? undefined : store.dispatches.get(dispatchId);
	among(filters.external_message_id, ownIdOf);
	among(filters.dispatch_id, ({ dispatchId }) => dispatchId);
	const directionOf = ({ single }: Message) => single?.direction ?? 'outbound';
	among(filters.direction ?? ['outbound'], directionOf);
	among(filters.country_code, ({ destination }) => countryOf(destination));
	among(filters.cascade_message_uuid, ({ single }) => single?.cascade?.rootUuid);
	among(filters.destination, ({ destination }) => destination);
	among(filters.status, (message) => apiMessageView(store, message).status);
	among(filters.sending_method, (message) => apiMessageView(store, message).sendingMethod);
	among(filters.traffic_center_id, (message) => apiMessageView(store, message).trafficCenterId);
	among(
		filters.channel_type,
		(message) => message.single?.channelType ?? dispatchOf(message)?.channelType,
	);
	among(filters.traffic_type, ({ single }) => single?.trafficType);
	among(filters.sender_name, ({ single, senderId }) =>
		single === undefined ? store.senders.get(senderId ?? 0)?.senderName : single.senderName,
	);
	// In the message it is a number or a text, in the query always text.
	among(filters.template_id, ({ single }) => single?.templateId?.toString());
	const { message_uuid, tags, dispatch, ready_to_stop, root, time_from, time_to } = filters;
	const [content, contentNor] = [filters.content?.[0], filters.content_nor?.[0]];
	if (message_uuid !== undefined) {
		const wanted = new Set(message_uuid);
		// "matches both `message_uuid` and `external_message_id`"
		tests.push((message) => wanted.has(message.uuid) || wanted.has(ownIdOf(message) ?? ''));
	}
	if (tags !== undefined)
		tests.push(({ single }) => tags.some((tag) => single?.tags?.includes(tag)));
	if (content !== undefined) tests.push(({ text }) => text.includes(content));
	if (contentNor !== undefined) tests.push(({ text }) => !text.includes(contentNor));
	if (dispatch !== undefined) {
		// It counts for outbound messages only.
		tests.push(
			(message) => directionOf(message) === 'inbound' || (message.dispatchId !== null) === dispatch,
		);
	}
	if (ready_to_stop !== undefined) tests.push(({ state }) => !ready_to_stop || state === 'created');
	if (root !== undefined) tests.push(({ single }) => ((single?.cascade?.step ?? 1) === 1) === root);
	if (time_from !== undefined) {
		const from = timeOf('time_from', time_from);
		tests.push((message) => boundTime(message) >= from);
	}
	if (time_to !== undefined) {
		const to = timeOf('time_to', time_to);
		tests.push((message) => boundTime(message) <= to);
	}
	return tests;
};

/** The messages to test. If ids are given, only those messages, so that finding one doesn't test all. */
const candidates = (store: Store, { message_uuid, external_message_id, dispatch_id }: Filters) => {
	const byIds = message_uuid ?? external_message_id;
	if (byIds !== undefined) {
		return new Set(
			byIds.flatMap((id) => {
				const own = message_uuid === undefined ? undefined : store.byUuid.get(id);
				return [...(own === undefined ? [] : [own]), ...(store.byExternalId.get(id) ?? [])];
			}),
		);
	}
	if (dispatch_id !== undefined) {
		return dispatch_id.flatMap((id) => store.dispatches.get(id)?.messages ?? []);
	}
	return store.byUuid.values();
};

/**
 * Newest first unless `sort` is `createdTime`: its values aren't published, so none is rejected. Messages of the same time keep the
 * order they arrived in.
 */
const sorted = (messages: Message[], sort: string | undefined): Message[] => {
	const sign = sort === 'createdTime' ? 1 : -1;
	return messages.sort((one, other) => sign * (one.createdAt - other.createdAt));
};

const matchingOf = (store: Store, filters: Filters): Message[] => {
	const tests = testsOf(store, filters);
	const matching: Message[] = [];
	for (const message of candidates(store, filters)) {
		if (tests.every((test) => test(message))) matching.push(message);
	}
	return matching;
};

const usual = 100;

export const listRoutes = (route: Route, world: World): void => {
	route(calls.messageGet, ({ path: { id } }) =>
		apiMessageView(world.store, found(world.store.byUuid.get(id), 'message', id)),
	);

	route(calls.messageList, ({ query }) => {
		const { store, timeline } = world;
		const { dialect } = store.settings;
		const { page = 1, per_page: size, sort } = query;
		if (page * (size ?? usual) > listWindow) {
			throw badRequest(`page: page × per_page must not be above ${listWindow}`);
		}
		const filters = readFilters(dialect, query);
		const matching = filters === undefined ? [] : matchingOf(store, filters);
		const indexed = matching.filter((message) => isIndexed(dialect, message, timeline.now));
		const cut = pageOf(sorted(indexed, sort), { page, size, usual }, dialect.pageSize);
		return { total: cut.total, items: cut.items.map((message) => apiMessageView(store, message)) };
	});
};
