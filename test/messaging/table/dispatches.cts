import type { Sandbox } from '../../../sandbox/sandbox.cts';
import { demo } from '../../../sandbox/demo.cts';
import { createOnWebsite } from '../../../sandbox/time/dispatchCreate.cts';
import { addMessages, startDispatch } from '../../../sandbox/time/dispatches.cts';
import { notFound, type Row } from '../../nodes/row.cts';
import { messagePath } from './sending.cts';

const { numbers, senderNames, dispatches } = demo;

export const dispatchPath = '/api/v1/dispatch';
/** The ID of the first dispatch that a row adds; the next ones follow. */
export const firstCampaign = dispatches.reminder + 1;

/** Adds dispatches as a person does on the website, each with one recipient. */
export const addCampaigns = ({ world }: Sandbox, count: number, isStarted = false) => {
	for (let added = 0; added < count; added++) {
		const name = `Tulips ${added + 1}`;
		const dispatch = createOnWebsite(world, {
			name,
			senderName: senderNames.sms,
			text: 'Dear {name}, tulips are here',
		});
		addMessages(world, dispatch, [{ destination: numbers.tele2, substitutions: { name: 'Gleb' } }]);
		if (isStarted) startDispatch(world, dispatch);
	}
};

const three = [0, 1, 2].map((index) => ({ id: firstCampaign + index }));
/** The second of three doesn't exist. */
const oneUnknown: [object, object, object] = [three[0]!, { id: 9_999 }, three[1]!];
const unknownId = {
	parameters: { dispatchId: '={{ $json.id }}' },
	items: oneUnknown as [{ id: number }, { id: number }, { id: number }],
};
const noSuch = 'There is no dispatch with the ID 9999';

const readOne = (id: number) => ({
	method: 'GET',
	path: dispatchPath,
	query: [
		['dispatch_id', String(id)],
		['page', '1'],
		['per_page', '100'],
	] as Array<[string, string]>,
});

export const dispatchRows: Row[] = [
	{
		operation: 'dispatch.getAll',
		title: 'with every filter',
		seed: (sandbox) => addCampaigns(sandbox, 2),
		parameters: {
			limit: 5,
			filters: {
				created_from: '2026-03-01T10:00:00+03:00',
				created_to: '2026-03-03T00:00:00Z',
				dispatch_id: ` ${firstCampaign + 1} `,
				dispatch_name: 'Tulips 2',
				status: 'planned',
				traffic_center_id: ' 1 ',
			},
		},
		wire: [
			{
				method: 'GET',
				path: dispatchPath,
				query: [
					['created_from', '2026-03-01T07:00:00Z'],
					['created_to', '2026-03-03T00:00:00Z'],
					['dispatch_id', String(firstCampaign + 1)],
					['dispatch_name', 'Tulips 2'],
					['page', '1'],
					['per_page', '5'],
					['status', 'planned'],
					['traffic_center_id', '1'],
				],
			},
		],
		output: (json) =>
			expect(json).toEqual([
				{
					dispatchId: firstCampaign + 1,
					name: 'Tulips 2',
					status: 'planned',
					senderName: senderNames.sms,
					text: 'Dear {name}, tulips are here',
					createdAt: '2026-03-02T07:00:00.000Z',
					parts: { total: 1, delivered: 0, undelivered: 0, unsent: 0, sent: 0, sending: 1 },
					messages: { total: 1, delivered: 0, undelivered: 0, unsent: 0, sent: 0, sending: 1 },
				},
			]),
		refused: {
			fault: { method: 'GET', path: dispatchPath },
			message: 'The service rejected the request as invalid',
			httpCode: '400',
		},
	},
	{
		operation: 'dispatch.getAll',
		title: 'all, with all fields',
		seed: (sandbox) => addCampaigns(sandbox, 2),
		parameters: { returnAll: true, simplify: false },
		wire: [
			{
				method: 'GET',
				path: dispatchPath,
				query: [
					['page', '1'],
					['per_page', '100'],
				],
			},
		],
		output: (json) =>
			expect(json).toMatchObject([
				{ dispatchId: firstCampaign, dispatchName: 'Tulips 1', trafficCenterName: 'Main' },
				{ dispatchId: firstCampaign + 1, dispatchName: 'Tulips 2' },
			]),
	},
	{
		operation: 'dispatch.get',
		title: 'by its ID',
		seed: (sandbox) => addCampaigns(sandbox, 3),
		parameters: { dispatchId: ` ${firstCampaign + 1} ` },
		wire: [readOne(firstCampaign + 1)],
		output: (json) =>
			expect(json).toMatchObject([{ dispatchId: firstCampaign + 1, name: 'Tulips 2' }]),
		refused: { ...unknownId, message: noSuch, httpCode: '404', says: 'Check the ID' },
	},
	{
		operation: 'dispatch.addMessages',
		title: 'one who is new',
		seed: (sandbox) => addCampaigns(sandbox, 3),
		parameters: {
			dispatchId: String(firstCampaign),
			destination: '8 (916) 123-45-67',
			substitutions: { placeholder: [{ name: 'name', value: 'Anna' }] },
		},
		wire: [
			readOne(firstCampaign),
			readOne(firstCampaign),
			{
				method: 'GET',
				path: messagePath,
				query: [
					['dispatch_id', String(firstCampaign)],
					['page', '1'],
					['per_page', '1000'],
				],
			},
			{
				method: 'POST',
				path: `${dispatchPath}/${firstCampaign}/messages`,
				body: [{ destination: numbers.mts, substitutions: { name: 'Anna' } }],
			},
			readOne(firstCampaign),
		],
		output: (json) =>
			expect(json).toEqual([
				{
					name: 'Tulips 1',
					status: 'planned',
					summary:
						"Nobody gets the message yet: the dispatch isn't started. 1 of 1 person is in it.",
					recipients: 1,
					reached: 0,
					onTheWay: 0,
					failed: 0,
					leftOut: 0,
					notStarted: 1,
					alreadyInDispatch: 0,
					dispatchId: firstCampaign,
				},
			]),
		state: ({ store }) =>
			expect(store.dispatches.get(firstCampaign)).toMatchObject({
				status: 'CREATED',
				messages: [
					{ destination: numbers.tele2 },
					{ destination: numbers.mts, text: 'Dear Anna, tulips are here' },
				],
			}),
		refused: { ...unknownId, message: noSuch, httpCode: '404', says: 'Check the ID' },
	},
	{
		operation: 'dispatch.start',
		title: 'one that is not started',
		seed: (sandbox) => addCampaigns(sandbox, 3),
		parameters: { dispatchId: String(firstCampaign) },
		wire: [
			readOne(firstCampaign),
			{ method: 'POST', path: `${dispatchPath}/${firstCampaign}/start` },
		],
		output: (json) => expect(json).toEqual([{ dispatchId: firstCampaign, started: true }]),
		state: ({ store }) => expect(store.dispatches.get(firstCampaign)?.status).toBe('STARTED'),
		refused: { ...unknownId, ...notFound, message: noSuch, says: "This run didn't start it." },
	},
	{
		operation: 'dispatch.stop',
		title: 'one that is being sent',
		seed: (sandbox) => addCampaigns(sandbox, 3, true),
		parameters: { dispatchId: String(firstCampaign) },
		wire: [{ method: 'POST', path: `${dispatchPath}/${firstCampaign}/stop` }],
		output: (json) => expect(json).toEqual([{ dispatchId: firstCampaign, stopped: true }]),
		state: ({ store }) => expect(store.dispatches.get(firstCampaign)?.status).toBe('STOPPED'),
		refused: { carriesOn: true, ...unknownId, ...notFound, message: noSuch },
	},
];
