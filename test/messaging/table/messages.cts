import { demo } from '../../../sandbox/demo.cts';
import type { Sandbox } from '../../../sandbox/sandbox.cts';
import type { Row } from '../../nodes/row.cts';
import { addMessage, messagePath } from './sending.cts';

const { numbers, senderNames } = demo;

/** The uuids of messages that rows add, known beforehand. */
export const uuids = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

/** Adds messages under these uuids, with own ids `order-1` and on. */
export const addKnown = async (sandbox: Sandbox, count: number) => {
	const { world } = sandbox;
	const { uuid } = world;
	for (let index = 0; index < count; index++) {
		Object.assign(world, { uuid: () => uuids[index] });
		await addMessage(sandbox, { externalMessageId: `order-${index + 1}` });
	}
	Object.assign(world, { uuid });
};

const filters = {
	cascade_message_uuid: uuids[0],
	channel_type: ['SMS', 'VIBER'],
	content: 'Hello, Anna',
	content_nor: 'Goodbye, Anna',
	country_code: 'KZ',
	destination: '8 (916) 123-45-67',
	direction: ['inbound', 'outbound'],
	dispatch: false,
	dispatch_id: '3001',
	external_message_id: 'order-1',
	message_uuid: `${uuids[0]}, ${uuids[1]}`,
	ready_to_stop: true,
	root: true,
	sender_name: senderNames.sms,
	sending_method: ['API', 'UI'],
	sort: '-createdTime',
	status: ['sending', 'unsent'],
	tags: 'spring, vip',
	template_id: '512, 513',
	time_from: '2026-03-01T00:00:00Z',
	time_to: '2026-03-02T10:00:00+03:00',
	traffic_center_id: '1, 2',
	traffic_type: ['SERVICE'],
};
/** What travels otherwise than it is entered. */
const filtersOnWire: Record<string, unknown> = {
	...filters,
	destination: numbers.mts,
	message_uuid: uuids.slice(0, 2),
	tags: ['spring', 'vip'],
	template_id: ['512', '513'],
	time_to: '2026-03-02T07:00:00Z',
	traffic_center_id: ['1', '2'],
	page: '1',
	per_page: '50',
};
const filterQuery = Object.keys(filtersOnWire)
	.sort()
	.flatMap((name) =>
		[filtersOnWire[name]].flat().map((one): [string, string] => [name, String(one)]),
	);

export const messageRows: Row[] = [
	{
		operation: 'message.get',
		title: 'by its UUID',
		seed: async (sandbox) => await addKnown(sandbox, 3),
		parameters: { message_uuid: ` ${uuids[1]} ` },
		wire: [{ method: 'GET', path: `${messagePath}/${uuids[1]}` }],
		output: (json) => {
			expect(json).toMatchObject([
				{ messageUuid: uuids[1], externalMessageId: 'order-2', outcome: 'pending' },
			]);
			expect(json[0]).not.toHaveProperty('country');
		},
		refused: {
			parameters: { message_uuid: '={{ $json.id }}' },
			items: [{ id: uuids[0] }, { id: 'nowhere' }, { id: uuids[2] }],
			message: 'There is no message with the UUID nowhere',
			says: 'Check the ID',
		},
	},
	{
		operation: 'message.get',
		title: 'by the own ID, with all fields',
		seed: async (sandbox) => await addKnown(sandbox, 3),
		parameters: { findBy: 'external_message_id', external_message_id: 'order-3', simplify: false },
		wire: [
			{
				method: 'GET',
				path: messagePath,
				query: [
					['direction', 'inbound'],
					['direction', 'outbound'],
					['external_message_id', 'order-3'],
					['page', '1'],
					['per_page', '100'],
				],
			},
		],
		output: (json) =>
			expect(json).toMatchObject([
				{ messageUuid: uuids[2], sendingMethod: 'API', country: 'Russia' },
			]),
	},
	{
		operation: 'message.getAll',
		title: 'with every filter',
		parameters: { filters },
		wire: [{ method: 'GET', path: messagePath, query: filterQuery }],
		output: (json) => expect(json).toEqual([]),
		refused: {
			parameters: { filters: { dispatch_id: '={{ $json.id }}', defaultCountry: 'RU' } },
			items: [{ id: '3001' }, { id: 'spring' }, { id: '3002' }],
			message: 'The service rejected the request as invalid',
			httpCode: '400',
		},
	},
	{
		operation: 'message.getAll',
		title: 'up to a limit',
		seed: async (sandbox) => await addKnown(sandbox, 3),
		parameters: { limit: 2, filters: { dispatch: false, sort: 'createdTime' } },
		wire: [
			{
				method: 'GET',
				path: messagePath,
				query: [
					// An inbound message is in no dispatch, and the service would list all of them.
					['direction', 'outbound'],
					['dispatch', 'false'],
					['page', '1'],
					['per_page', '2'],
					['sort', 'createdTime'],
				],
			},
		],
		output: (json) => expect(json.map(({ messageUuid }) => messageUuid)).toEqual(uuids.slice(0, 2)),
	},
	{
		operation: 'message.stop',
		title: 'one that is not sent yet',
		seed: async (sandbox) => await addKnown(sandbox, 3),
		parameters: { messageUuid: uuids[1] },
		wire: [{ method: 'POST', path: `${messagePath}/stop`, body: { uuids: [uuids[1]] } }],
		output: (json) =>
			expect(json).toEqual([{ messageUuid: uuids[1], stopped: true, result: 'stopped' }]),
		// Its status becomes unsent a moment later.
		state: ({ store }) =>
			expect(uuids.map((uuid) => store.byUuid.get(uuid)?.isStopping)).toEqual([
				undefined,
				true,
				undefined,
			]),
		refused: {
			carriesOn: true,
			parameters: { messageUuid: '={{ $json.id }}' },
			items: [{ id: uuids[0] }, { id: 'nowhere' }, { id: uuids[2] }],
			message: 'There is no message with the UUID nowhere',
			says: "Check the UUID with 'Get'",
		},
	},
];
