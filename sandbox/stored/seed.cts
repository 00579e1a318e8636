import { z } from '../../vendor/zod';
import { priceEndpoints } from '../../core/contract/price';
import { demo } from '../demo.cts';
import { demoData } from './demoData.cts';
import { toUnits } from './money.cts';
import { Store } from './store.cts';
import priceList from './tariffList.json';
import type { World } from './world.cts';

/** `demo`: companies, sender names and past dispatches. `empty`: only credentials, prices and a balance. */
export const SeedName = z.enum(['demo', 'empty']);
export type SeedName = z.infer<typeof SeedName>;

const basics = (world: World): Store => {
	const store = new Store();
	store.login = demo.login;
	store.password = demo.password;
	store.keys.set(demo.apiKey, { type: 'FULL', active: true, ips: [] });
	store.keys.set(demo.messagesOnlyKey, { type: 'MESSAGES', active: true, ips: [] });
	store.keys.set(demo.entitiesKey, { type: 'ENTITIES', active: true, ips: [] });
	store.keys.set(demo.verifierKey, { type: 'VERIFIER', active: true, ips: [] });
	store.keys.set(demo.widgetKey, { type: 'WIDGET', active: true, ips: [] });
	store.funds = toUnits(10_000);
	store.tariffs = priceEndpoints.tariffList.reply.parse(priceList).tariffs;
	store.senderFees = priceEndpoints.senderFeeList.reply.parse(priceList).senderFees;
	world.store = store;
	return store;
};

/** Deletes everything and loads the named data. The clock keeps its time. */
export const seedWorld = (world: World, name: SeedName): void => {
	const { now } = world.timeline;
	world.timeline.clear(now);
	world.outbox.clear();
	world.faults.clear();
	world.requests.clear();
	basics(world);
	if (name === 'demo') demoData(world);
	world.store.seededAt = now;
};
