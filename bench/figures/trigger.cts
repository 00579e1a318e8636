import { setTimeout as pause } from 'node:timers/promises';
import { startCallbackN8n, type CallbackN8n, type Taken } from '../support/callbackN8n.cts';
import { bodies, ourAddress, ours, theirAddress, theirs } from '../support/callbacks.cts';
import type { Comparison, Figure } from '../support/figure.cts';
import type { Ground } from '../support/ground.cts';

/**
 * All sides in portions, one right after the other, so that a machine that is slow for a while is slow for all. A repetition
 * is the sum of its portions.
 */
async function sideBySide(
	repetitions: number,
	portions: number,
	sides: ReadonlyArray<() => Promise<Taken>>,
): Promise<Taken[][]> {
	const results: Taken[][] = sides.map(() => []);
	for (let repetition = 0; repetition < repetitions; repetition++) {
		const round = sides.map((measure) => ({ measure, answered: 0, ended: 0, processor: 0 }));
		for (let portion = 0; portion < portions; portion++) {
			for (const side of portion % 2 === 0 ? round : round.toReversed()) {
				const taken = await side.measure();
				for (const what of ['answered', 'ended', 'processor'] as const) side[what] += taken[what];
			}
		}
		for (const [index, side] of round.entries()) results[index].push(side);
	}
	return results;
}

interface Sizes {
	repetitions: number;
	portions: number;
	requests: number;
}

/** Our trigger beside n8n's Webhook node, per request. */
async function besideWebhook(n8n: CallbackN8n, { repetitions, portions, requests }: Sizes) {
	const send = (address: string) => async () => await n8n.post(address, bodies(requests), 10);
	const [own, other] = await sideBySide(repetitions, portions, [
		send(ourAddress),
		send(theirAddress),
	]);
	const each = (sums: Taken[], what: keyof Taken) =>
		sums.map((sum) => sum[what] / (portions * requests));
	return (what: keyof Taken): Pick<Comparison, 'unit' | 'ours' | 'theirs'> => ({
		unit: 'ms',
		ours: { name: 'Trigger, fast', values: each(own, what) },
		theirs: { name: 'Webhook, Basic auth', values: each(other, what) },
	});
}

/** Arrays of events beside a callback with one, after a rest each, so that no two callbacks share anything. */
async function besideOne(
	n8n: CallbackN8n,
	repetitions: number,
	portions: number,
): Promise<Comparison[]> {
	const send = (events: number) => async () => {
		await pause(300);
		return await n8n.post(ourAddress, bodies(1, events), 1);
	};
	const sizes = [1, 10, 100, 1_000, 10_000];
	const measured = await sideBySide(repetitions, portions, sizes.map(send));
	const [one, ...many] = measured.map((sums, index) => ({
		name: `Trigger, ${sizes[index].toLocaleString('en')} ${index === 0 ? 'event' : 'events'}`,
		values: sums.map(({ ended }) => ended / portions),
	}));
	return many.map((side, index) => {
		const size = sizes[index + 1];
		return {
			what: `a callback with ${size.toLocaleString('en')} events`,
			unit: 'ms',
			ours: side,
			theirs: one,
			...(size === 1_000 && { limit: 3, note: 'to the end of the execution' }),
		};
	});
}

async function inN8n<Result>(
	environment: Record<string, string>,
	{ quick, report }: Pick<Ground, 'quick' | 'report'>,
	measure: (n8n: CallbackN8n) => Promise<Result>,
): Promise<Result> {
	const n8n = await startCallbackN8n(environment, report);
	try {
		await n8n.publish(ours);
		await n8n.publish(theirs);
		// As full as the memory in n8n's database gets: what is remembered must not make it slower.
		if (!quick) await n8n.post(ourAddress, bodies(11, 1_000), 1);
		for (const address of [ourAddress, theirAddress])
			await n8n.post(address, bodies(quick ? 5 : 40), 10);
		return await measure(n8n);
	} finally {
		await n8n.stop();
	}
}

const limit = 1 / 0.95;
const lazy = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

export const trigger: Figure = {
	name: 'Trigger',
	isApart: true,
	run: async (ground): Promise<Comparison[]> => {
		const { quick, report } = ground;
		const repetitions = quick ? 1 : 5;
		const { beside, arrays } = await inN8n(lazy, ground, async (n8n) => {
			const sizes = { repetitions, portions: quick ? 1 : 4, requests: quick ? 10 : 120 };
			return {
				beside: await besideWebhook(n8n, sizes),
				arrays: await besideOne(n8n, repetitions, quick ? 1 : 6),
			};
		});
		const rows: Comparison[] = [
			{
				what: 'a request, 10 at a time',
				...beside('answered'),
				limit,
				note: 'login and duplicate protection on, its memory full; n8n prepares for expressions only when one comes (N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true)',
			},
			{
				what: 'processor time of a request and its execution',
				...beside('processor'),
				limit,
				note: 'the same run',
			},
			...arrays,
		];
		// Another start of n8n shows nothing new in a quick run.
		if (quick) return rows;
		report('the same in an n8n as it is delivered');
		const asDelivered = await inN8n({}, ground, async (n8n) => {
			const sizes = { repetitions: 3, portions: 2, requests: 40 };
			return await besideWebhook(n8n, sizes);
		});
		return [
			...rows,
			{
				what: "processor time, n8n's default settings",
				...asDelivered('processor'),
				note: 'without that setting n8n 2.41 prepares an expression engine whenever the webhook of a node is called, for every node but its own Webhook: no other trigger can avoid it',
			},
		];
	},
};
