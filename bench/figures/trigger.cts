import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Credential } from '../../host/n8n/credential.cts';
import type { Workflow } from '../../host/n8n/workflow.cts';
import {
	callbackLogin,
	startCallbackN8n,
	webhookLogin,
	type CallbackN8n,
	type Taken,
} from '../support/callbackN8n.cts';
import type { Comparison, Figure } from '../support/figure.cts';

/** A callback nobody has seen before. */
const event = () => ({
	message_uuid: randomUUID(),
	channel_type: 'SMS',
	callback_event: 'delivered',
	external_message_id: 'crm-17',
	status: 'delivered',
	status_time: new Date().toISOString(),
});
const bodies = (count: number, events = 1) =>
	Array.from({ length: count }, () => JSON.stringify(Array.from({ length: events }, event)));

const behind = (id: string, trigger: object, credential: Credential): Workflow => ({
	id,
	name: id,
	nodes: [
		{
			id: `${id}-trigger`,
			name: 'Trigger',
			type: '',
			typeVersion: 2,
			position: [0, 0],
			webhookId: id,
			parameters: {},
			credentials: { [credential.type]: { id: credential.id, name: credential.name } },
			...trigger,
		},
		{
			id: `${id}-next`,
			name: 'Next',
			type: 'n8n-nodes-base.noOp',
			typeVersion: 1,
			position: [240, 0],
			parameters: {},
		},
	],
	connections: { Trigger: { main: [[{ node: 'Next', type: 'main', index: 0 }]] } },
	settings: { executionOrder: 'v1' },
});

const ours = behind(
	'callbacksOurs',
	{ type: 'n8n-nodes-bulk-messaging.bulkMessagingTrigger' },
	callbackLogin,
);
const webhook = {
	httpMethod: 'POST',
	path: 'callbacksTheirs',
	authentication: 'basicAuth',
	responseMode: 'onReceived',
	options: {},
};
const theirs = behind(
	'callbacksTheirs',
	{ type: 'n8n-nodes-base.webhook', parameters: webhook },
	webhookLogin,
);
const ourAddress = 'callbacksOurs/fast';

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
		send(webhook.path),
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
	report: (text: string) => void,
	measure: (n8n: CallbackN8n) => Promise<Result>,
): Promise<Result> {
	const n8n = await startCallbackN8n(environment, report);
	try {
		await n8n.publish(ours);
		await n8n.publish(theirs);
		// As full as the memory in n8n's database gets: what is remembered must not make it slower.
		await n8n.post(ourAddress, bodies(11, 1_000), 1);
		for (const address of [ourAddress, webhook.path]) await n8n.post(address, bodies(40), 10);
		return await measure(n8n);
	} finally {
		await n8n.stop();
	}
}

const limit = 1 / 0.95;
const lazy = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

export const trigger: Figure = {
	name: 'Trigger',
	run: async ({ quick, report }): Promise<Comparison[]> => {
		const repetitions = quick ? 1 : 5;
		const { beside, arrays } = await inN8n(lazy, report, async (n8n) => {
			const sizes = { repetitions, portions: quick ? 2 : 4, requests: quick ? 20 : 120 };
			return {
				beside: await besideWebhook(n8n, sizes),
				arrays: await besideOne(n8n, repetitions, quick ? 2 : 6),
			};
		});
		report('the same in an n8n as it is delivered');
		const asDelivered = await inN8n({}, report, async (n8n) => {
			const sizes = { repetitions: quick ? 1 : 3, portions: 2, requests: quick ? 10 : 40 };
			return await besideWebhook(n8n, sizes);
		});
		return [
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
			{
				what: "processor time, n8n's default settings",
				...asDelivered('processor'),
				note: 'without that setting n8n 2.41 prepares an expression engine whenever the webhook of a node is called, for every node but its own Webhook: no other trigger can avoid it',
			},
		];
	},
};
