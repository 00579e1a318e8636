import { messaging } from '../../../core/contract/messaging';
import { fromUnits, currency } from '../../stored/money.cts';
import type { Route } from '../route.cts';
import { accountLedger } from '../../stored/store.cts';
import type { World } from '../../stored/world.cts';

export const accountRoutes = (route: Route, world: World): void => {
	route(messaging.ping, () => 'PONG');

	/** What can still be spent: the balance minus reservations. */
	route(messaging.balance, () => {
		const { store, timeline } = world;
		const { reserved } = store.ledger(accountLedger, timeline.now);
		return { [currency]: fromUnits(store.funds - reserved) };
	});
};
