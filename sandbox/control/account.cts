import { z } from '../../vendor/zod';
import { Tariff } from '../../core/contract/price';
import { CallbackUrl, Int } from '../../core/contract/values';
import { found } from '../api/apiError.cts';
import { parse } from '../api/input.cts';
import { fromUnits, mostRubles, toUnits } from '../stored/money.cts';
import type { Control, Controls } from './control.cts';

export const accountControls = (control: Control, { world }: Controls): void => {
	control({
		method: 'PUT',
		path: '/balance',
		does: 'Sets the messaging API balance: {"RUB": n}.',
		input: z.object({ RUB: z.number().nonnegative().max(mostRubles) }).strict(),
		handle: ({ RUB }) => {
			world.store.funds = toUnits(RUB);
			return { RUB: fromUnits(world.store.funds) };
		},
	});

	control({
		method: 'PUT',
		path: '/tariffs',
		does: 'Replaces the tariffs: {"tariffs": [...]}, in the format of GET /price/tariffs.',
		input: z.object({ tariffs: z.array(Tariff) }).strict(),
		handle: ({ tariffs }) => {
			world.store.tariffs = tariffs;
			return { tariffs };
		},
	});

	control({
		method: 'PUT',
		path: '/inbound-rules/{position}',
		does: 'Replaces one rule for inbound messages (positions start at 1) or adds the next one: {"url", "login", "password", "trafficCenterId", "senderNames"}.',
		input: z
			.object({
				url: CallbackUrl,
				login: z.string().default(''),
				password: z.string().default(''),
				trafficCenterId: Int.nonnegative()
					.max(2 ** 31 - 1)
					.optional(),
				senderNames: z.array(z.string()).optional(),
			})
			.strict(),
		handle: ({ url, login, password, trafficCenterId, senderNames }, { position }) => {
			const { settings, inboundRules } = world.store;
			const index = Number(position) - 1;
			if (index !== inboundRules.length) found(inboundRules[index], 'rule', position);
			const target = new URL(url);
			// If both fields are empty, a login in the URL is kept.
			if (login !== '' || password !== '') {
				target.username = encodeURIComponent(login);
				target.password = encodeURIComponent(password);
			}
			inboundRules[index] = {
				trafficCenterId: trafficCenterId ?? settings.defaultTrafficCenterId,
				callbackUrl: parse(CallbackUrl, target.href, 'url'),
				...(senderNames?.length && { senderNames }),
			};
		},
	});

	control({
		method: 'DELETE',
		path: '/inbound-rules/{position}',
		does: 'Removes one rule for inbound messages (positions start at 1).',
		input: z.object({}).strict(),
		handle: (_, { position }) => {
			const { inboundRules } = world.store;
			const index = Number(position) - 1;
			found(index < 0 ? undefined : inboundRules[index], 'rule', position);
			inboundRules.splice(index, 1);
		},
	});

	control({
		method: 'PUT',
		path: '/inbound-rules',
		does: 'Replaces all rules for inbound messages: {"rules": [{"trafficCenterId", "callbackUrl", "senderNames"}]}.',
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
