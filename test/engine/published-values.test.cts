import type { Resource } from '../../core/engine/operation';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { resources as messagingResources } from '../../nodes/BulkMessaging/resources';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { resources as partnerResources } from '../../nodes/BulkMessagingPartner/resources';

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
	},
	bulkMessaging: {
		message: ['get', 'getAll', 'send', 'sendAndWait', 'sendCascade', 'stop'],
		account: ['getBalance', 'ping'],
		verification: ['check', 'send'],
		customCall: ['call'],
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
