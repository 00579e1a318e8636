import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { isOlderThan, startN8n, testFrom, type OwnN8n } from './support/n8n.cts';
import { isGroupRunning } from './support/processes.cts';
import { startDoor, type Door } from './trigger/door.cts';
import { startService, type Service } from './trigger/service.cts';
import {
	login,
	nothing,
	password,
	triggered,
	upsertInto,
	withLogin,
} from './trigger/workflows.cts';

/** kill -9 of n8n in the middle of 500 callbacks, 20 at a time, from a service that resends. */

const count = 500;
const atATime = 20;

let n8n: OwnN8n;
let service: Service;

beforeAll(async () => {
	[n8n, service] = await Promise.all([
		startN8n({ environment: { N8N_EXPRESSION_ENGINE: 'legacy' }, hasCode: false }),
		startService(),
	]);
	await n8n.importCredentials([
		{
			id: 'sandboxCallbackApi',
			name: 'Sandbox: callbacks',
			type: 'bulkMessagingCallbackApi',
			data: { login, password },
		},
	]);
});

interface Stored {
	id: string;
	status: string;
	data: string;
}

/** What n8n has on record, straight from its database. */
const recordOf = (workflowId: string): Stored[] => {
	const database = new DatabaseSync(path.join(n8n.folder, '.n8n', 'database.sqlite'), {
		readOnly: true,
	});
	try {
		const rows = database
			.prepare(
				'SELECT e.id AS id, e.status AS status, d.data AS data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ?',
			)
			.all(workflowId);
		return rows.map(({ id, status, data }) => ({
			id: String(id),
			status: String(status),
			data: String(data),
		}));
	} finally {
		database.close();
	}
};

const isUnfinished = (status: string) => status === 'new' || status === 'running';

/** Everything has ended; nobody goes on with what the crash interrupted, whatever n8n calls it. */
const settled = async (workflowId: string, interrupted: ReadonlySet<string>) => {
	const isUnderWay = ({ id, status }: Stored) => isUnfinished(status) && !interrupted.has(id);
	while (recordOf(workflowId).some(isUnderWay)) await pause(200);
};

/** Sends the callbacks and kills n8n when a third of them has been answered well; then it is started again. */
const sendAndKill = async (door: Door, workflowId: string, address: 'confirmed' | 'fast') => {
	const url = withLogin(`${door.url}/webhook/${workflowId}/${address}`);
	const uuids = await service.dispatch(count, url, ['delivered']);
	const passing = service.advance(60_000);
	const ownCallbacks = () =>
		service.sandbox.callbacks.filter(({ url }) => url.startsWith(door.url));
	const delivered = () => ownCallbacks().filter(({ state }) => state === 'delivered');
	// What has arrived at the service counts: an answer that is under way is lost with n8n.
	while (delivered().length < count / 3) await pause(5);
	const group = n8n.processGroup();
	await n8n.killHard();
	expect(isGroupRunning(group)).toBe(false);
	await passing;
	const own = ownCallbacks();
	const answered = delivered();
	expect(own).toHaveLength(count);
	expect(answered.length).toBeGreaterThanOrEqual(count / 3);
	expect(answered.length).toBeLessThan(count);
	// An n8n from 2.8 on, and before 2.41, goes on only with those that wait: one that was new stays new.
	const isInterrupted = isOlderThan('2.41')
		? isUnfinished
		: (status: string) => status === 'running';
	const unfinished = recordOf(workflowId).filter(({ status }) => isInterrupted(status));
	await n8n.start();
	return {
		uuids,
		interrupted: new Set(unfinished.map(({ id }) => id)),
		answered: answered.map(({ body }) => (body as { messageUuid: string }).messageUuid),
	};
};

const byStatus = (record: Stored[]) => {
	const counts: Record<string, number> = {};
	for (const { status } of record) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
};

testFrom('2.8', 'it answers a callback before it puts the execution on record')(
	'fast: every callback that was answered is on record',
	async () => {
		await n8n.importWorkflow(triggered('crashFast', nothing));
		await n8n.publish('crashFast');
		const door = await startDoor(n8n.url, atATime);

		const { uuids, answered, interrupted } = await sendAndKill(door, 'crashFast', 'fast');
		const before = recordOf('crashFast');
		await service.deliverAll();
		await settled('crashFast', interrupted);
		const after = recordOf('crashFast');

		const isOn = (record: Stored[]) => (uuid: string) =>
			record.some(({ data }) => data.includes(uuid));
		expect(answered.filter((uuid) => !isOn(before)(uuid))).toEqual([]);
		expect(uuids.filter((uuid) => !isOn(after)(uuid))).toEqual([]);
		const ended = after.filter(({ status }) => status === 'success');
		const neverEnded = uuids.filter((uuid) => !isOn(ended)(uuid));
		process.stdout.write(
			`fast: ${answered.length} of ${count} answered before kill -9; in the end on record: ${JSON.stringify(byStatus(after))}; events whose only run has crashed: ${neverEnded.length}\n`,
		);
	},
);

testFrom('1.123', '1.110 has no data tables, and the versions between were not tried.')(
	'confirmed: every event is processed to the end, and the table holds each once',
	async () => {
		const { id: projectId } = await n8n.session.ask<{ id: string }>(
			'GET',
			'/rest/projects/personal',
		);
		const columns = ['messageUuid', 'event'].map((name) => ({ name, type: 'string' }));
		const tables = `/rest/projects/${projectId}/data-tables`;
		const { id: tableId } = await n8n.session.ask<{ id: string }>('POST', tables, {
			name: 'Events',
			columns,
		});
		await n8n.importWorkflow(triggered('crashConfirmed', upsertInto(tableId)));
		await n8n.publish('crashConfirmed');
		const door = await startDoor(n8n.url, atATime);
		const rows = async () => {
			const found: string[] = [];
			for (;;) {
				const { data } = await n8n.session.ask<{ data: Array<{ messageUuid: string }> }>(
					'GET',
					`${tables}/${tableId}/rows?take=250&skip=${found.length}`,
				);
				if (data.length === 0) return found.sort();
				found.push(...data.map(({ messageUuid }) => messageUuid));
			}
		};

		const { uuids, answered } = await sendAndKill(door, 'crashConfirmed', 'confirmed');
		const before = await rows();
		await service.deliverAll();

		expect(answered.filter((uuid) => !before.includes(uuid))).toEqual([]);
		expect(await rows()).toEqual([...uuids].sort());
		const record = recordOf('crashConfirmed');
		process.stdout.write(
			`confirmed: ${answered.length} of ${count} answered before kill -9; ${JSON.stringify(byStatus(record))}, ${count} rows\n`,
		);
	},
);

test('nothing is left when it is stopped', async () => {
	const group = n8n.processGroup();

	await n8n.remove();

	expect(isGroupRunning(group)).toBe(false);
	expect(existsSync(n8n.folder)).toBe(false);
});
