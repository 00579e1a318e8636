import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { NodeRun } from '../support/n8n.cts';
import { json, reset, type Behaviour, type Received } from '../support/server.cts';
import { messagingCredential, serve } from '../transport/service.cts';
import { itemOf, runAt } from './messages.cts';

/** A service of a test's own: each request, each look and each listed message as the test wants it. */

export interface Stored {
	externalMessageId?: string;
	messageUuid: string;
	destination: string;
	channelType?: string;
	/** When it came, by the clock of the test. */
	at: number;
}

/** Whether a request is carried out, for all of its messages or for some, and how it is answered. */
interface Turn {
	keep?: (place: number) => boolean;
	answer: (messages: Stored[]) => Behaviour;
}

const all = () => true;
const none = () => false;

/** The answer names every message. */
export const accept: Turn = {
	keep: all,
	answer: (messages) =>
		json(200, {
			errors: false,
			items: messages.map(({ externalMessageId, messageUuid }) => ({
				externalMessageId,
				messageUuid,
				code: 201,
			})),
		}),
};
/** Carried out, and the answer is lost. */
export const lostAnswer: Turn = { keep: all, answer: () => reset };
/** Lost before it was carried out. */
export const lostRequest: Turn = { keep: none, answer: () => reset };

/** Longer than anybody waits: no second attempt at one look. */
const later = { 'retry-after': '3600' };
export const notNow = json(503, {}, later);

interface Played {
	readonly stored: Stored[];
	/** How the next requests are treated; what comes after them is accepted. */
	turns: Turn[];
	/** How a look is answered instead, by its number from 1 on. */
	look: (number: number) => Behaviour | undefined;
	/** What a look that asks for these IDs lists, of what it could find; `undefined` rejects the question. */
	find: (ids: string[], listed: readonly Stored[]) => unknown;
	/** What a look shows of a message. */
	show: (message: Stored) => object;
	/** Whether a look can find a message. */
	isListed: (message: Stored) => boolean;
	looks: number;
	posts: number;
}

/** Messages with one of these IDs; all of them without IDs. */
export const byIds = (ids: readonly string[], listed: readonly Stored[]) => {
	const items = listed.filter(
		({ externalMessageId = '', messageUuid }) =>
			ids.length === 0 || ids.includes(externalMessageId) || ids.includes(messageUuid),
	);
	return { total: items.length, items };
};

/** With what the test wants otherwise from the beginning. */
export const playService = async (otherwise: Partial<Played> = {}) => {
	const stored: Stored[] = [];
	const service: Played = {
		stored,
		turns: [],
		look: () => undefined,
		find: (ids, listed) => {
			const { total, items } = byIds(ids, listed);
			return { total, items: items.map((one) => service.show(one)) };
		},
		show: (message) => message,
		isListed: all,
		looks: 0,
		posts: 0,
		...otherwise,
	};
	const listed = ({ url }: Received) => {
		const ids = new URL(url, 'http://127.0.0.1').searchParams.getAll('message_uuid');
		const list = service.find(
			ids,
			stored.filter((one) => service.isListed(one)),
		);
		return list === undefined ? json(400, { error: { code: 4000, msg: 'one' } }) : json(200, list);
	};
	const server = await serve((request) => {
		if (request.method === 'GET') return service.look(++service.looks) ?? listed(request);
		const { keep = all, answer } = service.turns[service.posts++] ?? accept;
		const messages = (JSON.parse(String(request.body)) as Array<Omit<Stored, 'at'>>).map(
			({ externalMessageId, destination, channelType }, place) => ({
				externalMessageId,
				destination,
				channelType,
				messageUuid: `uuid-${stored.length + place}`,
				at: Date.now(),
			}),
		);
		stored.push(...messages.filter((_, place) => keep(place)));
		return answer(messages);
	});
	const credentials = messagingCredential(`${server.url}/api/v1`);
	const run = async (
		operation: string,
		parameters: INodeParameters,
		items: IDataObject[],
		options: Pick<NodeRun, 'tries' | 'onError' | 'onStart' | 'workflowId'> = {},
	) => await runAt(server.url, `message.${operation}`, parameters, { ...options, items });
	return Object.assign(service, {
		/** Runs Send with these items of `itemOf`. */
		send: async (
			indexes: readonly number[],
			parameters: INodeParameters,
			options?: Parameters<typeof run>[3],
		) => await run('send', parameters, indexes.map(itemOf), options),
		run,
		credentials,
		/** A message that was there before. */
		add: (message: Partial<Stored>) =>
			stored.push({
				messageUuid: `older-${stored.length}`,
				destination: '',
				at: Date.now(),
				...message,
			}),
		/** Forgets what was asked so far; the turns begin anew. */
		forget: () => Object.assign(service, { looks: 0, posts: 0 }),
	});
};
