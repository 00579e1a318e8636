import type { ReplyOf } from '../../core/contract/endpoint';
import { MessageSend, messaging, type CascadeSend } from '../../core/contract/messaging';
import type { z } from '../../vendor/zod';
import { planOf } from '../cascade';
import { markFailed } from '../delivery';
import type { Message } from '../entities';
import type { Route } from '../route';
import { acceptSingle, type Problem } from '../singles';
import type { World } from '../world';

type Item = ReplyOf<typeof messaging.messageSend>['items'][number];

/** One item per message, in the order sent; `errors` says that at least one of them failed. */
const acceptedReply = (
	results: Array<{ externalMessageId?: string; result: Message | Problem }>,
) => ({
	errors: results.some(({ result }) => 'problem' in result),
	items: results.map(({ externalMessageId = null, result }): Item => {
		const base = { externalMessageId: externalMessageId ?? null };
		return 'problem' in result
			? { messageUuid: null, ...base, code: result.code, msg: result.problem }
			: { messageUuid: result.uuid, ...base, code: 201 };
	}),
});

/** Every step must be a message that could be sent by itself: the schema of a step lets more pass. */
const startCascade = (
	world: World,
	{ cascade: steps, destination, callbackUrl, callbackEvents }: z.output<typeof CascadeSend>,
	externalMessageId: string | undefined,
): Message | Problem => {
	const common = { destination, callbackUrl, callbackEvents, externalMessageId };
	for (const [index, step] of steps.entries()) {
		const checked = MessageSend.safeParse({ ...step, ...common });
		if (checked.success) continue;
		const [{ path, message }] = checked.error.issues;
		return { code: 400, problem: `cascade[${index}].${path.join('.')}: ${message}` };
	}
	return acceptSingle(world, { ...steps[0], ...common }, { steps });
};

const stopOne = (world: World, message: Message): boolean => {
	if (message.state !== 'created') return false;
	markFailed(world, message, 'unsent', 'stopped');
	return true;
};

/** Stops a message that has not been sent, with the messages and the coming steps of its cascade. */
const stop = (world: World, uuid: string): number => {
	const { byUuid } = world.store;
	const message = byUuid.get(uuid);
	if (message === undefined) return 404;
	const plan = message.single && planOf(world.store, message.single);
	if (plan === undefined) return stopOne(world, message) ? 200 : 403;
	plan.stopped = true;
	const stopped = plan.uuids
		.flatMap((own) => byUuid.get(own) ?? [])
		.map((own) => stopOne(world, own));
	return stopped.includes(true) ? 200 : 403;
};

export const sendRoutes = (route: Route, world: World): void => {
	route(messaging.messageSend, ({ body }) =>
		acceptedReply(
			body.map((input) => ({
				externalMessageId: input.externalMessageId,
				result: acceptSingle(world, input),
			})),
		),
	);

	route(messaging.cascadeSend, ({ body }) =>
		acceptedReply(
			body.map((input) => {
				// The contract's schema lets it pass without naming it.
				const externalMessageId =
					typeof input.externalMessageId === 'string' ? input.externalMessageId : undefined;
				return { externalMessageId, result: startCascade(world, input, externalMessageId) };
			}),
		),
	);

	route(messaging.messageStop, ({ body: { uuids } }) => {
		const items = uuids.map((uuid): Item => {
			const externalMessageId = world.store.byUuid.get(uuid)?.single?.externalMessageId ?? null;
			return { messageUuid: uuid, externalMessageId, code: stop(world, uuid) };
		});
		return { errors: items.some(({ code }) => code !== 200), items };
	});
};
