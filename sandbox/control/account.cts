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
