import { z } from '../../vendor/zod';
import { Tariff } from '../../core/contract/price';
import { CallbackUrl, Int } from '../../core/contract/values';
import { fromUnits, mostRoubles, toUnits } from '../money.cts';
import type { Control, Controls } from './control.cts';

export const accountControls = (control: Control, { world }: Controls): void => {
	control({
		method: 'PUT',
		path: '/balance',
		does: 'Sets the prepaid money of the messaging API: {"RUB": n}.',
		input: z.object({ RUB: z.number().nonnegative().max(mostRoubles) }).strict(),
		handle: ({ RUB }) => {
			world.store.funds = toUnits(RUB);
			return { RUB: fromUnits(world.store.funds) };
		},
	});

	control({
		method: 'PUT',
		path: '/tariffs',
		does: 'Replaces the tariffs: {"tariffs": [...]} as GET /price/tariffs shows them.',
		input: z.object({ tariffs: z.array(Tariff) }).strict(),
		handle: ({ tariffs }) => {
			world.store.tariffs = tariffs;
			return { tariffs };
		},
	});

	control({
		method: 'PUT',
		path: '/inbound-rule',
		does: 'One rule for inbound messages: {"url", "login", "password", "trafficCenterId", "senderNames"}.',
		input: z
			.object({
				url: z.string().url(),
				login: z.string().default(''),
				password: z.string().default(''),
				trafficCenterId: Int.optional(),
				senderNames: z.array(z.string()).optional(),
			})
			.strict(),
		handle: ({ url, login, password, trafficCenterId, senderNames }) => {
			const target = new URL(url);
			target.username = login;
			target.password = password;
			const { settings } = world.store;
			world.store.inboundRules = [
				{
					trafficCenterId: trafficCenterId ?? settings.defaultTrafficCenterId,
					callbackUrl: CallbackUrl.parse(target.href),
					...(senderNames?.length && { senderNames }),
				},
			];
		},
	});

	control({
		method: 'PUT',
		path: '/inbound-rules',
		does: 'Replaces the rules for inbound messages: {"rules": [{"trafficCenterId", "callbackUrl", "senderNames"}]}.',
		input: z
			.object({
				rules: z.array(
					z
						.object({
							trafficCenterId: Int,
							callbackUrl: CallbackUrl,
							senderNames: z.array(z.string()).optional(),
						})
						.strict(),
				),
			})
			.strict(),
		handle: ({ rules }) => {
			world.store.inboundRules = rules;
			return { rules };
		},
	});
};
