import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { resources } from '../../nodes/BulkMessagingPartner/resources';

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
