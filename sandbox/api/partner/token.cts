import { partner } from '../../../core/contract/partner';
import { badCredentials } from '../apiError.cts';
import type { Route } from '../route.cts';
import type { World } from '../../stored/world.cts';

export const tokenRoutes = (route: Route, world: World): void => {
	route(partner.token, ({ body: { login, password } }) => {
		const { store, timeline } = world;
		if (login !== store.login || password !== store.password) throw badCredentials();
		const token = world.uuid();
		const issuedAt = timeline.now;
		store.tokens.set(token, { issuedAt, expiresAt: issuedAt + store.settings.tokenLifetimeMs });
		return { token };
	});
};
