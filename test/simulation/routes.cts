import { findSingles, getDispatch, listDispatches, listMessages } from './reads.cts';
import type { Answer } from './records.cts';
import type { Service } from './service.cts';
import type { World } from './world.cts';

export type ChangeName = 'create' | 'append' | 'start' | 'stop' | 'company' | 'send';

/** A request as the service understands it. */
export type Routed =
	| { kind: 'change'; name: ChangeName; id?: number; carryOut: () => Answer }
	| {
			kind: 'read';
			/** What its lag depends on; `undefined` if it is never out of date. */
			lag?: keyof World['lagMs'];
			isList: boolean;
			page: number;
			look: (moment: { at: number; countersAt: number }) => Answer;
	  };

const approvedSender = {
	id: 1,
	senderName: 'FLOWERS',
	channelType: 'SMS',
	counteragentName: 'Flowers',
	counteragentInn: '7707083893',
	dateFrom: '2025-01-01T00:00:00Z',
	dateTo: null,
	commonType: 'COMMON',
	brand: 'MTS',
	status: 'APPROVED',
	suspended: false,
	fee: null,
	managerComment: null,
	rejectedAt: null,
	createdAt: '2025-01-01T00:00:00Z',
};

const company = {
	companyId: 1,
	name: 'Flowers',
	counteragentName: 'Flowers',
	counteragentInn: '7707083893',
	status: 'ACTIVE',
	budget: null,
};

const tariff = {
	senderType: 'COMMON',
	pricingModel: 'FIXED',
	currency: 'RUB',
	prices: [{ from: 0, price: 2 }],
};

/** Answers that don't depend on what happened. */
const fixed: Readonly<Record<string, unknown>> = {
	'/senders': [approvedSender],
	'/company': { page: 1, perPage: 10, total: 1, items: [company] },
	'/price/tariffs': { tariffs: [tariff] },
};

const notFound: Answer = { status: 404, body: { error: { code: 4040, msg: 'no such path' } } };

/** Finds out what a request of a run asks for. */
export const route = (
	service: Service,
	by: string,
	{ method, path, body }: { method: string; path: string; body: unknown },
): Routed => {
	const url = new URL(path, 'https://service.example');
	const { pathname, searchParams: query } = url;
	const [, idText = '', action = ''] = /^\/dispatches\/(\d+)(?:\/(\w+))?$/.exec(pathname) ?? [];
	const id = Number(idText);
	const change = (name: ChangeName, carryOut: () => Answer): Routed => ({
		kind: 'change',
		name,
		...(idText !== '' && { id }),
		carryOut,
	});
	if (method === 'POST') {
		// The node has checked its own request against the contract.
		const given = body as never;
		if (pathname === '/dispatches') return change('create', () => service.create(by, given));
		if (action === 'messages') return change('append', () => service.append(id, given));
		if (action === 'start') return change('start', () => service.start(by, id));
		if (action === 'stop') return change('stop', () => service.stop(by, id));
		if (pathname === '/company') return change('company', () => service.createCompany(by, given));
		if (pathname.endsWith('/message')) return change('send', () => service.send(by, given));
	}
	const page = Number(query.get('page') ?? 1);
	const read = { kind: 'read', isList: true, page } as const;
	if (pathname === '/dispatches') {
		return { ...read, lag: 'list', look: (at) => listDispatches(service, query, at) };
	}
	if (idText !== '') {
		return { ...read, isList: false, lag: 'get', look: (at) => getDispatch(service, id, at) };
	}
	if (pathname === '/messages') {
		return { ...read, lag: 'messages', look: (at) => listMessages(service, query, at) };
	}
	if (pathname.endsWith('/message')) {
		return { ...read, lag: 'lookUp', look: (at) => findSingles(service, query, at) };
	}
	const known = fixed[pathname];
	return { ...read, look: () => (known === undefined ? notFound : { status: 200, body: known }) };
};
