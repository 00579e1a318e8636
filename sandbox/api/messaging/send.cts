import { planOf } from '../../time/cascade.cts';
import { contentProblem } from '../../stored/contents.cts';
import type { Message } from '../../stored/entities.cts';
import type { Route } from '../route.cts';
import { acceptSingle, type Problem } from '../../time/singles.cts';
import type { World } from '../../stored/world.cts';
import { calls, StepMessage, type CascadeInput, type Results, type SingleInput } from './calls.cts';

type Item = Results['items'][number];

/** One item per message, in the order of the request. `errors` is true if at least one failed. */
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

/**
 * A cascade's hours, times and links apply to every step that doesn't have its own. Each step must be a message that could
 * be sent by itself: this is checked here, because the schema of a step accepts more.
 */
const startCascade = (world: World, input: CascadeInput): Message | Problem => {
	const { cascade, destination, callbackUrl, callbackEvents, externalMessageId } = input;
	const { useLocalTime, localSendTime, localCompletionTime, hours, days, shortUrl } = input;
	const shared = { useLocalTime, localSendTime, localCompletionTime, hours, days, shortUrl };
	const common = { destination, callbackUrl, callbackEvents, externalMessageId };
	const steps = cascade.map((step) => ({ ...shared, ...step }));
	const messages: SingleInput[] = [];
	for (const [index, step] of steps.entries()) {
		const checked = StepMessage.safeParse({ ...step, ...common });
		if (!checked.success) {
			const [{ path, message }] = checked.error.issues;
			return { code: 400, problem: `cascade[${index}].${path.join('.')}: ${message}` };
		}
		const problem = contentProblem(world, checked.data, true);
		if (problem !== undefined) return { code: 400, problem: `cascade[${index}].${problem}` };
		messages.push(checked.data);
	}
	if (cascade.at(-1)?.condition !== undefined) {
		const problem = `cascade[${cascade.length - 1}].condition: the last step has none`;
		return { code: 400, problem };
	}
	return acceptSingle(world, messages[0], { steps });
};

/** A stopped message is never sent, but its status becomes unsent only a moment later. */
const stopOne = ({ store, timeline }: World, message: Message): boolean => {
	if (message.state !== 'created') return false;
	if (message.isStopping) return true;
	message.isStopping = true;
	const { uuid } = message;
	timeline.plan(timeline.now + store.settings.stoppedAfterMs, { kind: 'stop', uuid });
	return true;
};

/** The reference describes 200 for a stopped message and shows 201 in its example. 202 is for one that is perhaps stopped. */
const stopped = 201;
const perhapsStopped = 202;
const notStopped: readonly number[] = [403, 404];

/** Stops a message that isn't sent yet, and the rest of its cascade. Returns the code for the response. */
const stop = (world: World, uuid: string): number => {
	const { byUuid } = world.store;
	const message = byUuid.get(uuid);
	if (message === undefined) return 404;
	const plan = message.single && planOf(world.store, message.single);
	if (plan === undefined) return stopOne(world, message) ? stopped : 403;
	plan.stopped = true;
	const isStopped = plan.uuids
		.flatMap((own) => byUuid.get(own) ?? [])
		.map((own) => stopOne(world, own));
	if (isStopped.includes(true)) return stopped;
	// The next step may already be on its way.
	const last = byUuid.get(plan.uuids.at(-1) ?? '');
	const isOpen = last?.state === 'sent' && (last.single?.cascade?.step ?? 0) < plan.steps.length;
	return isOpen ? perhapsStopped : 403;
};

export const sendRoutes = (route: Route, world: World): void => {
	route(calls.messageSend, ({ body }) =>
		acceptedReply(
			body.map((input) => ({
				externalMessageId: input.externalMessageId,
				result: acceptSingle(world, input),
			})),
		),
	);

	route(calls.cascadeSend, ({ body }) =>
		acceptedReply(
			body.map((input) => ({
				externalMessageId: input.externalMessageId,
				result: startCascade(world, input),
			})),
		),
	);

	route(calls.messageStop, ({ body: { uuids } }) => {
		const items = uuids.map((uuid) => ({ messageUuid: uuid, code: stop(world, uuid) }));
		return { errors: items.some(({ code }) => notStopped.includes(code)), items };
	});
};
