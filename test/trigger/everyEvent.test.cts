import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import {
	DispatchEvent,
	eventNames,
	events,
	MessageEvent,
	outputEventOf,
	type EventName,
} from '../../core/contract/events';
import { wireNames } from '../../core/contract/readEvent';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { BulkMessagingTrigger } from '../../nodes/BulkMessagingTrigger/BulkMessagingTrigger.node';
import { demo } from '../../sandbox/demo.cts';
import { messaging } from '../../core/contract/messaging';
import { outcomes } from '../../scripts/outputMeanings.cts';
import { open } from '../sandbox/support.cts';
import * as bodies from './bodies.cts';
import { drawn } from './drawn.cts';
import { startHost } from './host.cts';

/** Every place that must know an event. For a new row in core/contract/events.ts, these tests say what is missing. */

type Body = Record<string, unknown>;
const ofMessages = Object.values(bodies.ofMessages) as Body[];
const ofDispatches = Object.values(bodies.ofDispatches) as Body[];

const bodyOf = (list: readonly Body[], field: string, event: string): Body => {
	const body = list.find((one) => one[field] === event);
	if (body === undefined) throw new Error(`test/trigger/bodies.cts has no body of ${event}`);
	return body;
};

const inSnakeCase = (name: string) => name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);

const other = (value: unknown) => (typeof value === 'number' ? value + 1 : `${String(value)}-2`);

/** What leaves the trigger when these bodies come, one after the other. */
const itemsOf = async (posted: unknown[], parameters: INodeParameters = {}) => {
	const host = await startHost({ parameters });
	for (const body of posted) {
		expect(await host.deliver('fast', body)).toBe(200);
	}
	return host.items;
};

const trigger = new BulkMessagingTrigger();

/** The events the sandbox reports when everything that can happen to a message does. */
const reportedBySandbox = async () => {
	const received: Body[] = [];
	const { sandbox, call, control, createDispatch, start } = open({
		send: async ({ body }) => {
			const parsed = JSON.parse(body) as Body | Body[];
			received.push(...[parsed].flat());
			return 200;
		},
	});
	const callbackUrl = 'http://receiver.example/hook';
	const { items } = await call(messaging.messageSend, {
		body: [
			{
				channelType: 'VIBER',
				senderName: demo.senderNames.viber,
				destination: demo.numbers.mts,
				content: { contentType: 'text', text: 'See https://shop.example/tulips' },
				shortUrl: true,
				callbackUrl,
				callbackEvents: MessageEvent.options,
			},
		],
	});
	await control('POST', `/messages/${items[0]?.messageUuid}/click`, {});
	await control('PUT', '/inbound-rules', { rules: [{ trafficCenterId: 5, callbackUrl }] });
	const { whatsapp: senderName } = demo.senderNames;
	const destination = demo.numbers.mts;
	await control('POST', '/inbound', { senderName, destination, text: 'Hi' });
	const { id } = await createDispatch({ callbackUrl, callbackEvents: DispatchEvent.options });
	await start(id);
	await sandbox.advance(3_600_000);
	const named = (field: string) => new Set(received.map((body) => body[field]));
	return { message: named(wireNames.message.event), dispatch: named(wireNames.dispatch.event) };
};

interface Choice {
	name: string;
	value: unknown;
}
interface Parameter {
	name: string;
	options?: Array<Parameter | Choice>;
	values?: Parameter[];
	displayOptions?: { show?: Record<string, unknown[]> };
}

/** What the parameter Callback Events of an operation offers, wherever in its options it stands. */
const callbackEventsOf = (properties: readonly unknown[], resource: string, operation: string) => {
	const find = (parameters: readonly Parameter[]): Parameter | undefined => {
		for (const one of parameters) {
			if (one.name === 'callbackEvents') return one;
			const inner = [...(one.options ?? []), ...(one.values ?? [])].filter(
				(option): option is Parameter => !('value' in option),
			);
			const found = find(inner);
			if (found !== undefined) return found;
		}
		return undefined;
	};
	const shown = (properties as Parameter[]).filter(
		({ displayOptions }) =>
			displayOptions?.show?.resource?.includes(resource) === true &&
			displayOptions.show.operation?.includes(operation) === true,
	);
	return (find(shown)?.options ?? []) as Choice[];
};

const sending = {
	message: [
		['send', new BulkMessaging().description.properties],
		['sendCascade', new BulkMessaging().description.properties],
	],
	dispatch: [
		['send', new BulkMessagingPartner().description.properties],
		['create', new BulkMessagingPartner().description.properties],
	],
} as const;

let bySandbox: Awaited<ReturnType<typeof reportedBySandbox>>;
beforeAll(async () => {
	bySandbox = await reportedBySandbox();
});

describe.each(eventNames)('event %s', (name: EventName) => {
	const row = events[name];
	const body = () => bodyOf(ofMessages, wireNames.message.event, name);

	test('has a body in the tests that its schema takes', () => {
		expect(row.message.schema.safeParse(body()).error).toBeUndefined();
	});

	test('names fields that its body has: the time, and what tells two of them apart', () => {
		const fields = [row.message.time, ...row.identity.map(inSnakeCase)];
		expect(fields.filter((field) => !(field in body()))).toEqual([]);
	});

	test('is offered by the trigger, and chosen by default', () => {
		const parameter = trigger.description.properties.find((one) => one.name === 'events');
		expect(parameter?.options).toContainEqual({
			name: row.label,
			value: name,
			description: row.description,
		});
		expect(parameter?.default).toContain(name);
	});

	test('has an output, and a subtitle, by its label', () => {
		const { outputs, subtitle } = drawn({ events: [name], options: { branchPerEvent: true } });
		// In any order: an event that was added later has its output after 'Unrecognized'.
		expect(outputs).toHaveLength(2);
		expect(outputs).toEqual(expect.arrayContaining([row.label, 'Unrecognized']));
		expect(subtitle).toBe(row.label);
	});

	test('starts the workflow, and says what happened and when', async () => {
		const [item] = await itemsOf([body()], { events: [name] });
		expect(item).toMatchObject({
			event: outputEventOf(name),
			outcome: expect.any(String) as string,
			occurredAt: body()[row.message.time],
		});
		const others = eventNames.filter((one) => one !== name);
		expect(await itemsOf([body()], { events: others })).toEqual([]);
	});

	test('has an outcome that scripts/outputMeanings.cts explains', async () => {
		const [item] = await itemsOf([body()], { events: [name] });
		expect(Object.keys(outcomes)).toContain(item?.outcome);
	});

	test.each(['README.md', 'docs/trigger.md'])('is in the list of events in %s', (file) => {
		const text = readFileSync(join(__dirname, '..', '..', file), 'utf8');
		expect(text.replace(/\s+/g, ' ')).toContain(row.label);
	});

	test('comes once, whatever else differs; twice, where it is another one', async () => {
		expect(await itemsOf([body(), { ...body(), attempt: 2 }])).toHaveLength(1);
		for (const field of [...row.identity.map(inSnakeCase), row.message.time]) {
			const changed = { ...body(), [field]: other(body()[field]) };
			expect([field, (await itemsOf([body(), changed])).length]).toEqual([field, 2]);
		}
	});

	test('is reported by the sandbox', () => {
		expect([...bySandbox.message]).toContain(name);
	});

	if (row.isRequestable) {
		test.each(sending.message)('can be asked for in Message: %s', (operation, properties) => {
			const offered = callbackEventsOf(properties, 'message', operation);
			expect(offered).toContainEqual(expect.objectContaining({ name: row.label, value: name }));
		});
	}

	if ('dispatch' in row) {
		const ofDispatch = () => bodyOf(ofDispatches, wireNames.dispatch.event, name);

		test('of a dispatch: has a body in the tests that its schema takes', () => {
			expect(row.dispatch.schema.safeParse(ofDispatch()).error).toBeUndefined();
			expect(ofDispatch()).toHaveProperty(row.dispatch.time);
		});

		test('of a dispatch: starts the workflow, and says what happened and when', async () => {
			const [item] = await itemsOf([ofDispatch()]);
			expect(item).toMatchObject({
				event: outputEventOf(name),
				outcome: expect.any(String) as string,
				occurredAt: ofDispatch()[row.dispatch.time],
			});
		});

		test('of a dispatch: is reported by the sandbox', () => {
			expect([...bySandbox.dispatch]).toContain(name);
		});

		test.each(sending.dispatch)('can be asked for in Dispatch: %s', (operation, properties) => {
			const offered = callbackEventsOf(properties, 'dispatch', operation);
			expect(offered).toContainEqual(expect.objectContaining({ name: row.label, value: name }));
		});
	}
});

test('all of them chosen: the subtitle says so in two words', () => {
	expect(drawn({ events: eventNames, options: {} }).subtitle).toBe('All Events');
});

test.each([
	['none', [], ''],
	['a single one', 'delivered', 'Delivery Result'],
	['one that is newer than this version', ['delivered', 'newer'], 'Delivery Result, newer'],
	['the same one as often as there are events', eventNames.map(() => 'read'), undefined],
])('%s chosen: the subtitle shows labels', (_, chosen, shown) => {
	const { subtitle } = drawn({ events: chosen, options: {} });
	expect(subtitle).not.toBe('All Events');
	if (shown !== undefined) expect(subtitle).toBe(shown);
});
