import { events } from '../../core/contract/events';
import { ChannelType } from '../../core/contract/values';
import type { Resource } from '../../core/engine/operation';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { messagingResources } from '../../nodes/BulkMessaging/resources';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { partnerResources } from '../../nodes/BulkMessagingPartner/resources';
import { outputOrder } from '../../nodes/BulkMessagingTrigger/emit';
import { BulkMessagingTrigger } from '../../nodes/BulkMessagingTrigger/BulkMessagingTrigger.node';
import { channelOptions } from '../../nodes/shared/channels';

/** Workflows store these. A change here breaks somebody's workflow: add, never rename. */
const published = {
	bulkMessagingPartner: {
		company: ['create', 'get', 'getAll', 'update'],
		document: ['getAll', 'upload'],
		sender: ['close', 'create', 'get', 'getAll', 'suspend', 'unsuspend', 'update'],
		dispatch: [
			'addMessages',
			'create',
			'get',
			'getAll',
			'getReport',
			'preview',
			'send',
			'start',
			'stop',
			'waitForCompletion',
		],
		message: ['getAll'],
		blacklist: ['add', 'remove'],
		price: ['estimateCost', 'getSenderFees', 'getTariffs'],
	},
	bulkMessaging: {
		message: ['get', 'getAll', 'send', 'sendAndWait', 'sendCascade', 'stop'],
		dispatch: ['addMessages', 'get', 'getAll', 'start', 'stop'],
		account: ['getBalance', 'ping'],
		verification: ['check', 'checkCode', 'reportFlashCall', 'send', 'sendCode'],
		template: ['get', 'getAll', 'update'],
		senderName: ['create', 'getAll'],
	},
};

const nodes = [
	{
		name: 'bulkMessagingPartner' as const,
		node: new BulkMessagingPartner(),
		resources: partnerResources,
		credential: 'bulkMessagingPartnerApi',
	},
	{
		name: 'bulkMessaging' as const,
		node: new BulkMessaging(),
		resources: messagingResources,
		credential: 'bulkMessagingApi',
	},
];

const valuesOf = (resources: readonly Resource[]) =>
	Object.fromEntries(
		resources.map(({ value, operations }) => [value, operations.map((one) => one.value).sort()]),
	);

describe.each(nodes)(
	'values that workflows store: $name',
	({ name, node, resources, credential }) => {
		test('resources and operations are the published ones', () => {
			expect(valuesOf(resources)).toEqual(published[name]);
		});

		test('the type name and the credentials are the published ones', () => {
			const { name: type, credentials } = node.description;
			expect(type).toBe(name);
			expect(credentials?.map((one) => one.name)).toEqual([credential, 'bulkMessagingCallbackApi']);
		});

		test('every parameter is shown for its own resource and operation only', () => {
			const { properties } = node.description;
			const parameters = properties.filter(
				({ name }) => name !== 'resource' && name !== 'operation',
			);
			expect(parameters.length).toBeGreaterThan(0);
			for (const { displayOptions } of parameters) {
				expect(displayOptions?.show?.resource).toHaveLength(1);
				expect(displayOptions?.show?.operation).toHaveLength(1);
			}
		});
	},
);

interface Described {
	name: string;
	value?: unknown;
	type?: string;
	options?: Described[];
}

/** Every name and value a workflow can hold, nested ones with the name of their collection in front. */
const storedBy = (described: readonly Described[], prefix = ''): string[] =>
	described
		.filter(({ type }) => type !== 'notice')
		.flatMap(({ name, value, options = [] }) => [
			prefix + String(value ?? name),
			...storedBy(options, `${prefix}${String(value ?? name)}.`),
		]);

describe('values of the trigger that workflows store', () => {
	const { description } = new BulkMessagingTrigger();

	test('type, version and credential', () => {
		const { name, version, credentials } = description;
		expect([name, version]).toEqual(['bulkMessagingTrigger', 2]);
		expect(credentials?.map((one) => one.name)).toEqual([
			'bulkMessagingCallbackApi',
			'bulkMessagingApi',
		]);
	});

	test('the addresses that people have handed out', () => {
		expect(description.webhooks?.map(({ name, path }) => [name, path])).toEqual([
			['default', 'fast'],
			['setup', 'confirmed'],
		]);
	});

	test('parameters and their values', () => {
		const channels = storedBy(description.properties as Described[]).filter((one) =>
			one.startsWith('filters.channelType.'),
		);
		expect(channels).toHaveLength(10);
		const others = storedBy(description.properties as Described[]).filter(
			(one) => !channels.includes(one),
		);
		expect(others).toEqual([
			'events',
			'events.delivered',
			'events.inbound_sent',
			'events.click',
			'events.price',
			'events.read',
			'events.sent',
			'authentication',
			'authentication.basic',
			'authentication.none',
			'filters',
			'filters.channelType',
			'filters.externalMessageId',
			'filters.source',
			'filters.source.dispatch',
			'filters.source.message',
			'filters.status',
			'filters.status.anyFailure',
			'filters.status.delivered',
			'filters.status.inbound_sent',
			'filters.status.unread',
			'filters.status.read',
			'filters.status.sent',
			'filters.status.undelivered',
			'filters.status.unsent',
			'output',
			'output.raw',
			'output.simplified',
			'options',
			'options.addMessage',
			'options.allowedAddresses',
			'options.includeHeaders',
			'options.includeQuery',
			'options.branchPerEvent',
			'options.rememberHours',
			'options.rememberKeys',
			'options.unrecognised',
			'options.unrecognised.item',
			'options.unrecognised.branch',
		]);
	});
});

/** In the order of their addition, because workflows store connections by the number of the output. Add a new event at the end. */
const publishedOutputs = [
	'delivered',
	'inbound_sent',
	'click',
	'price',
	'read',
	'sent',
	'unrecognized',
];

test('a new event gets an output after all others, so no connection moves', () => {
	expect(outputOrder).toEqual(publishedOutputs);
	const numbers = Object.values(events).map(({ output }) => output);
	expect([...numbers, 6].sort((a, b) => a - b)).toEqual([...publishedOutputs.keys()]);
});

test('every channel of the contract can be chosen, and no other', () => {
	expect(channelOptions.map(({ value }) => value as string).sort()).toEqual(
		[...ChannelType.known].sort(),
	);
});
