import { acceptedIn, startOf } from './records.cts';
import type { DispatchStatus, SingleMessage, StoredDispatch, StoredMessage } from './records.cts';
import type { Answer } from './records.cts';
import type { Service } from './service.cts';

/** What a page shows: the state at an earlier moment, perhaps with counts from a moment before that. */
interface Moment {
	at: number;
	countersAt: number;
}

const iso = (time: number) => new Date(time).toISOString();

/** The status of a message at a moment. */
export const messageStatus = (
	{ world }: Service,
	dispatch: StoredDispatch,
	{ isAccepted, final }: StoredMessage,
	at: number,
): string => {
	if (!isAccepted) return 'FAILED';
	const started = startOf(dispatch)?.at ?? Infinity;
	if (started > at) return 'CREATED';
	return at >= started + world.deliveryMs ? final : 'SENT';
};

/** The status of a dispatch at a moment: completed when every message has a final status. */
const dispatchStatus = (
	{ world }: Service,
	dispatch: StoredDispatch,
	at: number,
): DispatchStatus => {
	const last = dispatch.moves.findLast((move) => move.at <= at);
	if (last?.status !== 'STARTED') return last?.status ?? 'CREATED';
	return at >= last.at + world.deliveryMs ? 'COMPLETED' : 'STARTED';
};

const dispatchView = (service: Service, dispatch: StoredDispatch, { at, countersAt }: Moment) => {
	const { world } = service;
	const there = dispatch.messages.filter((message) => message.at <= countersAt);
	const shown = world.listsRejected ? there : there.filter(({ isAccepted }) => isAccepted);
	const states = shown.map((one) => messageStatus(service, dispatch, one, countersAt));
	const count = (...wanted: string[]) => states.filter((state) => wanted.includes(state)).length;
	const counters = {
		total: shown.length,
		delivered: count('DELIVERED'),
		failed: count('FAILED'),
		pending: count('CREATED', 'SENT'),
	};
	const started = startOf(dispatch)?.at ?? Infinity;
	return {
		id: dispatch.id,
		name: dispatch.name,
		status: dispatchStatus(service, dispatch, at),
		channelType: dispatch.channelType,
		parts: counters,
		messages: counters,
		priceEstimate:
			there.filter(({ isAccepted }) => isAccepted).length * service.shownPrice(dispatch, at),
		createdAt: iso(dispatch.createdAt),
		startedAt: started <= at ? iso(started) : null,
	};
};

const pageOf = <T,>(
	{ world }: Service,
	entries: readonly T[],
	query: URLSearchParams,
	sizeName: string,
	view: (entry: T) => unknown,
): Answer => {
	const page = Number(query.get('page') ?? 1);
	const perPage = Math.min(Number(query.get(sizeName) ?? 10), world.pageSize);
	const inOrder = world.listsNewestFirst ? entries.toReversed() : entries;
	const items = inOrder.slice((page - 1) * perPage, page * perPage).map(view);
	return { status: 200, body: { page, perPage, total: entries.length, items } };
};

export const listDispatches = (
	service: Service,
	query: URLSearchParams,
	moment: Moment,
): Answer => {
	const companyId = Number(query.get('companyId'));
	const status = query.get('status');
	const there = service.dispatches.filter(
		(one) =>
			one.createdAt <= moment.at &&
			one.companyId === companyId &&
			(status === null || dispatchStatus(service, one, moment.at) === status),
	);
	return pageOf(service, there, query, 'perPage', (one) => dispatchView(service, one, moment));
};

export const getDispatch = (service: Service, id: number, moment: Moment): Answer => {
	const dispatch = service.find(id);
	if (dispatch === undefined || dispatch.createdAt > moment.at) return service.missing(id);
	return { status: 200, body: dispatchView(service, dispatch, moment) };
};

export const listMessages = (service: Service, query: URLSearchParams, { at }: Moment): Answer => {
	const id = Number(query.get('dispatchId'));
	const dispatch = service.find(id);
	if (dispatch === undefined || dispatch.createdAt > at) return service.missing(id);
	const all = service.world.listsRejected ? dispatch.messages : acceptedIn(dispatch);
	const there = all.filter((message) => message.at <= at);
	const started = startOf(dispatch)?.at ?? Infinity;
	return pageOf(service, there, query, 'perPage', (message) => ({
		messageUuid: message.uuid,
		destination: message.destination,
		text: message.text,
		parts: message.parts,
		status: messageStatus(service, dispatch, message, at),
		price: service.world.price,
		senderId: message.isAccepted ? message.senderId : undefined,
		brandId: 1,
		createdAt: iso(message.at),
		sentAt: message.isAccepted && started <= at ? iso(started) : null,
		deliveredAt: null,
	}));
};

export const findSingles = (service: Service, query: URLSearchParams, { at }: Moment): Answer => {
	const wanted = new Set([...query.getAll('message_uuid'), ...query.getAll('external_message_id')]);
	const fits = ({ uuid, ownId }: SingleMessage) =>
		wanted.size === 0 || wanted.has(uuid) || (ownId !== undefined && wanted.has(ownId));
	const there = service.singles.filter((one) => one.at <= at && fits(one));
	return pageOf(
		service,
		there,
		query,
		'per_page',
		({ uuid, ownId, destination, text, ...one }) => ({
			messageUuid: uuid,
			externalMessageId: ownId ?? null,
			destination,
			channelType: one.channelType,
			direction: 'outbound',
			content: text,
			status: 'sent',
			createdTime: iso(one.at),
		}),
	);
};
