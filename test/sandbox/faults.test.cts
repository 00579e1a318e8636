import { partner } from '../../core/contract/partner';
import { mts, open } from './support.cts';

const company = { name: 'New', counteragentType: 'LEGAL', counteragentInn: '7712345678' } as const;

/** Resolves to 'still waiting' when the promise has not been settled by now. */
const soFar = async <Value,>(promise: Promise<Value>) =>
	await Promise.race([
		promise,
		new Promise<'still waiting'>((resolve) => setImmediate(() => resolve('still waiting'))),
	]);

const openWith = (fault: Parameters<ReturnType<typeof open>['sandbox']['faults']['add']>[0]) => {
	const opened = open();
	const { sandbox, send, call } = opened;
	sandbox.faults.add(fault);
	const create = async () => await send(partner.companyCreate, { body: { company } });
	const companies = () => sandbox.world.store.companies.size;
	return { ...opened, create, companies, list: async () => await call(partner.companyList) };
};
const match = { method: 'POST', path: '/company' };

describe('each kind', () => {
	test('hang: never answered, not carried out', async () => {
		const { create, companies } = openWith({ kind: 'hang', match });
		expect(await soFar(create())).toBe('still waiting');
		expect(companies()).toBe(3);
	});

	test('delay: carried out at once, answered later', async () => {
		const { sandbox, create, companies, list } = openWith({ kind: 'delay', match, ms: 5_000 });
		await list();
		const answer = create();
		expect(await soFar(answer)).toBe('still waiting');
		expect(companies()).toBe(4);
		await sandbox.advance(4_999);
		expect(await soFar(answer)).toBe('still waiting');
		await sandbox.advance(1);
		expect((await answer).status).toBe(201);
	});

	test('commit-then-hang and commit-then-status: carried out', async () => {
		const hanging = openWith({ kind: 'commit-then-hang', match });
		await hanging.list();
		expect(await soFar(hanging.create())).toBe('still waiting');
		expect(hanging.companies()).toBe(4);
		const failing = openWith({ kind: 'commit-then-status', match, status: 504 });
		expect((await failing.create()).status).toBe(504);
		expect(failing.companies()).toBe(4);
	});
});

describe('which requests', () => {
	test.each<[string, { method?: string; path?: string }, boolean]>([
		['no condition', {}, true],
		['the method', { method: 'post' }, true],
		['another method', { method: 'PUT' }, false],
		['the path of the contract', { path: '/dispatches/{id}/messages' }, true],
		['the whole path', { path: '/partner/dispatches/3003/messages' }, true],
		['a whole path of another one', { path: '/partner/dispatches/3004/messages' }, false],
		['a star', { path: '/dispatches/*' }, true],
		['a segment', { path: '/partner/dispatches/{any}/messages' }, true],
		['a shorter path', { path: '/dispatches' }, false],
		['a dot is a dot', { path: '/dispatches.{id}.messages' }, false],
	])('%s', async (_, condition, struck) => {
		const { sandbox, send, createDispatch } = open();
		const { id } = await createDispatch();
		sandbox.faults.add({ kind: 'status', match: condition });
		const body = { messages: [{ destination: mts }] };
		const response = await send(partner.dispatchAppend, { path: { id }, body });
		expect(response.status).toBe(struck ? 503 : 200);
	});

	test('both addresses of a message endpoint', async () => {
		const { sandbox } = open();
		sandbox.faults.add({ kind: 'status', match: { path: '/v1/message' }, times: 2 });
		for (const path of ['/message', '/v1/message']) {
			expect((await sandbox.fetch(sandbox.urls.messagingUrl + path)).status).toBe(503);
		}
	});

	test('two faults wait for each other', async () => {
		const { sandbox, create } = openWith({ kind: 'status', match, status: 500 });
		sandbox.faults.add({ kind: 'status', match, status: 502 });
		expect([(await create()).status, (await create()).status, (await create()).status]).toEqual([
			500, 502, 201,
		]);
	});

	test('control routes never fail', async () => {
		const { control } = openWith({ kind: 'status', times: 100 });
		await control('GET', '/state');
		await control('DELETE', '/faults');
	});
});

describe('at random', () => {
	const statuses = async (seed: number, rate: number) => {
		const { sandbox } = open();
		sandbox.faults.setRandom({ rate, seed, kinds: ['status', 'commit-then-status'] });
		const seen: number[] = [];
		for (let count = 0; count < 300; count++) {
			seen.push((await sandbox.fetch(`${sandbox.urls.messagingUrl}/ping`)).status);
		}
		return seen;
	};

	test('a rate and a seed strike the same requests every time', async () => {
		const first = await statuses(7, 0.2);
		expect(await statuses(7, 0.2)).toEqual(first);
		expect(await statuses(8, 0.2)).not.toEqual(first);
		const share = first.filter((status) => status === 503).length / first.length;
		expect(share).toBeGreaterThan(0.1);
		expect(share).toBeLessThan(0.3);
	});

	test('0 is never, 1 is always', async () => {
		expect(new Set(await statuses(1, 0))).toEqual(new Set([200]));
		expect(new Set(await statuses(1, 1))).toEqual(new Set([503]));
	});
});

describe('the routes', () => {
	test('add, look, clear', async () => {
		const { sandbox, control } = open();
		const fault = { kind: 'reset', match: { path: '/dispatches' }, times: 3 };
		expect(await control('POST', '/faults', fault)).toMatchObject(fault);
		await control('PUT', '/faults/random', { rate: 0.5, kinds: ['reset'] });
		expect(await control('GET', '/faults')).toMatchObject({
			planned: [fault],
			random: { rate: 0.5, seed: 1 },
		});
		await control('DELETE', '/faults');
		expect(sandbox.faults.waiting).toEqual({ planned: [], random: null });
	});

	test.each<[string, unknown, string]>([
		['no kind', {}, 'kind'],
		['an unknown kind', { kind: 'fire' }, 'kind'],
		['a wrong number', { kind: 'reset', times: 0 }, 'times'],
		['a wrong status', { kind: 'status', status: 99 }, 'status'],
		['an unknown field', { kind: 'reset', often: 2 }, 'often'],
	])('%s is refused', async (_, fault, field) => {
		const { sandbox, control } = open();
		await expect(control('POST', '/faults', fault)).rejects.toThrow(field);
		expect(sandbox.faults.waiting.planned).toEqual([]);
	});
});

test('a token is counted every time it is asked for', async () => {
	const { sandbox, call, forgetToken, control } = open();
	await call(partner.companyList);
	await call(partner.companyList);
	forgetToken();
	await call(partner.companyList);
	expect(sandbox.requests.count('POST /auth/token')).toBe(2);
	expect(await control('GET', '/requests')).toMatchObject({
		counts: { 'POST /auth/token': 2, 'GET /company': 3 },
	});
	await control('DELETE', '/requests');
	expect(sandbox.requests.count('POST /auth/token')).toBe(0);
});
