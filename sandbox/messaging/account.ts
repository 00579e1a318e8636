import { messaging } from '../../core/contract/messaging';
import { fromUnits, currency } from '../money';
import type { Route } from '../route';
import { accountLedger } from '../store';
import type { World } from '../world';

export const accountRoutes = (route: Route, world: World): void => {
	route(messaging.ping, () => 'PONG');

	/** What can still be spent: reservations are taken off. */
	route(messaging.balance, () => {
		const { store, timeline } = world;
		const { reserved } = store.ledger(accountLedger, timeline.now);
		return { [currency]: fromUnits(store.funds - reserved) };
	});
};
