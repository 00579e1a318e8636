import { partner } from '../../../core/contract/partner';
import { priceEndpoints } from '../../../core/contract/price';
import { badRequest, found } from '../apiError.cts';
import { isIndexed } from '../dialect.cts';
import { companyOf } from '../../time/dispatches.cts';
import type { Dispatch, Message } from '../../stored/entities.cts';
import { pageOf } from '../pages.cts';
import type { Route } from '../route.cts';
import { partnerMessageView, partnerStatus } from '../../stored/views.cts';
import type { World } from '../../stored/world.cts';

type Status = (typeof partnerStatus)[Message['state']];

// Caches the last filtered list, so that reading all its pages filters only once while nothing changes.
const filtered = new WeakMap<Dispatch, { version: number; status: Status; messages: Message[] }>();

const withStatus = (dispatch: Dispatch, status: Status | undefined): Message[] => {
	if (status === undefined) return dispatch.messages;
	const { version } = dispatch;
	const known = filtered.get(dispatch);
	if (known?.version === version && known.status === status) return known.messages;
	const messages = dispatch.messages.filter(({ state }) => partnerStatus[state] === status);
	filtered.set(dispatch, { version, status, messages });
	return messages;
};

export const messageRoutes = (route: Route, world: World): void => {
	route(partner.messageList, ({ query: { dispatchId, status, page, perPage: size } }) => {
		const { store, timeline } = world;
		const { dialect } = store.settings;
		const dispatch = found(store.dispatches.get(dispatchId), 'dispatch', dispatchId);
		const all = withStatus(dispatch, status);
		const matching =
			dialect.indexLagMs === 0
				? all
				: all.filter((message) => isIndexed(dialect, message, timeline.now));
		const cut = pageOf(matching, { page, size, usual: 100 }, dialect.pageSize);
		return { ...cut, items: cut.items.map(partnerMessageView) };
	});
};

export const recipientRoutes = (route: Route, world: World): void => {
	route(partner.recipientUpdate, ({ body: { companyId, msisdn, blacklist, comment = '' } }) => {
		const { blacklists } = world.store;
		companyOf(world, companyId);
		// Messages are compared by digits, so an entry in another format would block no messages.
		if (!/^\d{5,15}$/.test(msisdn)) {
			throw badRequest('msisdn: must be a phone number in digits, country code first');
		}
		const numbers = blacklists.get(companyId) ?? new Map<string, string>();
		blacklists.set(companyId, numbers);
		if (blacklist) numbers.set(msisdn, comment);
		else numbers.delete(msisdn);
		return { msisdn, companyId, blacklist };
	});
};

export const priceRoutes = (route: Route, world: World): void => {
	route(priceEndpoints.tariffList, ({ query }) => ({
		tariffs: world.store.tariffs.filter(
			(tariff) =>
				(query.senderType === undefined || tariff.senderType === query.senderType) &&
				(query.brand === undefined || tariff.brand === query.brand) &&
				(query.trafficType === undefined || tariff.trafficType === query.trafficType) &&
				(query.pricingModel === undefined || tariff.pricingModel === query.pricingModel),
		),
	}));

	route(priceEndpoints.senderFeeList, () => ({ senderFees: world.store.senderFees }));
};
