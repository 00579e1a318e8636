import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { resources } from '../../nodes/BulkMessagingPartner/resources';
import { BulkMessagingTrigger } from '../../nodes/BulkMessagingTrigger/BulkMessagingTrigger.node';

/** Workflows store these. A change here breaks somebody's workflow: add, never rename. */
const published = {
	company: ['create', 'get', 'getAll', 'update'],
	document: ['getAll', 'upload'],
	sender: ['close', 'create', 'get', 'getAll', 'suspend', 'unsuspend', 'update'],
	dispatch: [
		'addMessages',
		'create',
		'get',
		'getAll',
		'preview',
		'send',
		'start',
		'stop',
		'waitForCompletion',
	],
	message: ['getAll'],
	blacklist: ['add', 'remove'],
	price: ['estimateCost', 'getSenderFees', 'getTariffs'],
	customCall: ['call'],
};

describe('values that workflows store', () => {
	test('resources and operations of the partner node are the published ones', () => {
		const present = Object.fromEntries(
			resources.map(({ value, operations }) => [value, operations.map((one) => one.value).sort()]),
		);
		expect(present).toEqual(published);
	});

	test('the type name and the credentials are the published ones', () => {
		const { name, credentials } = new BulkMessagingPartner().description;
		expect(name).toBe('bulkMessagingPartner');
		expect(credentials?.map((one) => one.name)).toEqual([
			'bulkMessagingPartnerApi',
			'bulkMessagingCallbackApi',
		]);
	});

	test('every parameter is shown for its own resource and operation only', () => {
		const { properties } = new BulkMessagingPartner().description;
		const parameters = properties.filter(({ name }) => name !== 'resource' && name !== 'operation');
		expect(parameters.length).toBeGreaterThan(0);
		for (const { displayOptions } of parameters) {
			expect(displayOptions?.show?.resource).toHaveLength(1);
			expect(displayOptions?.show?.operation).toHaveLength(1);
		}
	});
});

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
		expect(credentials?.map((one) => one.name)).toEqual(['bulkMessagingCallbackApi']);
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
			'authentication',
			'authentication.basic',
			'authentication.none',
			'allowedAddresses',
			'events',
			'events.delivered',
			'events.inbound_sent',
			'events.click',
			'events.price',
			'events.read',
			'events.sent',
			'filters',
			'filters.source',
			'filters.source.dispatch',
			'filters.source.message',
			'filters.channelType',
			'filters.externalMessageId',
			'filters.status',
			'filters.status.delivered',
			'filters.status.failed',
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
			'options.unrecognised',
			'options.unrecognised.item',
			'options.unrecognised.branch',
			'options.includeHeaders',
			'options.includeQuery',
			'options.branchPerEvent',
			'options.rememberHours',
			'options.rememberKeys',
		]);
	});
});
