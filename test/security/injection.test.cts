import type { INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { useSandbox, type Recorded } from '../support/sandbox.cts';
import { nodes, operationsOf } from '../nodes/all.cts';
import { placesOf, type Place } from './places.cts';

/** What an HTTP client has to say; anything else was put there by a text. */
const ownHeaders = new Set([
	'accept',
	'accept-encoding',
	'authorization',
	'connection',
	'content-length',
	'content-type',
	'host',
	'user-agent',
]);
const contentTypes = /^(?:application\/json|multipart\/form-data; boundary=-{4}[\w-]+)$/;

/** A header, a whole request, and the characters that some take for a line break. */
const lines =
	'x\r\nX-Injected: 1\r\n\r\nGET /injected HTTP/1.1\r\nHost: x\r\n\r\n' +
	'\u2028X-Injected: 1\u2029\u0085\u000b\u000cX-Injected: 1\u560a\u560dX-Injected: 1';

const climbing = [
	'../../auth/token',
	'..%2f..%2fauth%2ftoken',
	'%2e%2e/auth/token',
	'1/../../auth/token',
	'1/../auth/token',
	'..\\..\\auth\\token',
	'..',
	'1?companyId=1',
	'1#/auth/token',
	'1%00',
	'1\u0000',
	'1;/../x',
	'1\u2215..\u2215x',
	'1\uff0f..\uff0fx',
	'//127.0.0.2/x',
	'http://127.0.0.2/x',
];

const polluting = [
	'{"__proto__": {"polluted": 1}}',
	'{"constructor": {"prototype": {"polluted": 1}}}',
	'[{"destination": "79161234567", "__proto__": {"polluted": 1}, "substitutions": {"__proto__": {"polluted": 1}}}]',
	'constructor.prototype',
	'__proto__',
	'__proto__.polluted',
];

/** An ID may become a part of an address: all of them. Other texts stay in a body or a query: the worst ones. */
const climbingTo = ({ property: { type, name } }: Place) =>
	type === 'resourceLocator' || /id$/i.test(name) ? climbing : climbing.slice(0, 3);
/** JSON may hold a prototype, other texts can only name one. */
const pollutingIn = ({ property: { type } }: Place) =>
	type === 'json' ? polluting : polluting.slice(-2);

/** Operations that nothing can be written into. */
const textless: Record<string, string[]> = {
	'Bulk Messaging Partner': ['company.getAll', 'price.getSenderFees'],
	'Bulk Messaging': ['account.ping'],
};

const linesAsJson = JSON.stringify(lines).slice(1, -1);
const carriesLines = ({ url, body }: Recorded) =>
	url.includes(encodeURIComponent(lines)) || body.toString().includes(linesAsJson);

const pathOf = ({ url }: Recorded) => url.split('?')[0] ?? '';

describe.each(nodes)('$name', (tested) => {
	const { name, node, rows, baseUrl } = tested;
	const bench = useSandbox(node);
	const places = placesOf(tested);
	const operations = [...new Set(places.map(({ operation }) => operation))];
	const placesIn = (operation: string) => places.filter((one) => one.operation === operation);

	/** Runs an operation with a text in one field, and gives what the service received. */
	const receivedWith = async ({ operation, row, filled }: Place, text: string) => {
		bench.sandbox.reset('demo');
		bench.forget();
		await row.seed?.(bench.sandbox);
		const parameters: INodeParameters = filled(text);
		const { error } = await bench.run(operation, parameters, {
			inputItems: [row.input ?? { json: {} }],
		});
		return { error, received: [...bench.recorded] };
	};

	/** The addresses that the operation itself uses, whatever is written into it; numbers stand for any. */
	const addressesOf = (operation: string) => {
		const prefix = baseUrl.endsWith(demo.messagingPath) ? '' : demo.partnerPath;
		const used = rows
			.filter((row) => row.operation === operation)
			.flatMap(({ wire }) => wire.map(({ method, path }) => `${method} ${prefix}${path}`))
			.map((address) => address.replace(/\/\d+(?=\/|$)/g, '/*'));
		return new Set(used);
	};

	test('the fields are found', () => {
		const withoutText = operationsOf(tested).filter((one) => !operations.includes(one));
		expect(withoutText.sort()).toEqual(textless[name]);
		expect(places.length).toBeGreaterThan(40);
	});

	/** The places whose text was received as it is. */
	const reached = new Set<string>();

	test.each(operations)('%s: no text becomes a header or a request', async (operation) => {
		for (const place of placesIn(operation)) {
			const { received } = await receivedWith(place, lines);
			const where = `${place.operation} ${place.name}`;
			for (const request of received) {
				if (carriesLines(request)) reached.add(where);
				const strange = Object.keys(request.headers).filter((name) => !ownHeaders.has(name));
				expect({ where, strange }).toEqual({ where, strange: [] });
				const { 'content-type': type, authorization = '' } = request.headers;
				if (type !== undefined) expect(type).toMatch(contentTypes);
				expect(authorization).toMatch(/^(?:Bearer [\w-]+)?$/);
				expect(request.url).toMatch(/^[!-~]+$/);
				expect(pathOf(request)).not.toContain('injected');
				const declared = Number(request.headers['content-length'] ?? 0);
				expect(request.body.length).toBe(declared);
				// A file is sent with headers of its own inside of the body.
				expect(request.body.includes('\r\nX-Injected')).toBe(false);
			}
		}
	});

	test.each(operations)('%s: no text leads to another address', async (operation) => {
		const own = addressesOf(operation);
		for (const place of placesIn(operation)) {
			for (const text of climbingTo(place)) {
				const { received, error } = await receivedWith(place, text);
				const where = `${place.operation} ${place.name} ${text}`;
				const logIns = received.filter((one) => pathOf(one).endsWith('/auth/token'));
				expect(logIns.length).toBeLessThanOrEqual(1);
				const others = received
					.filter((one) => !logIns.includes(one))
					.map((one) => `${one.method} ${pathOf(one).replace(/\/\d+(?=\/|$)/g, '/*')}`)
					.filter((address) => !own.has(address));
				expect({ where, others }).toEqual({ where, others: [] });
				expect(error?.message ?? '').not.toMatch(/is not a function|undefined/);
			}
		}
	});

	test.each(operations)('%s: no text changes a prototype', async (operation) => {
		const before = Object.getOwnPropertyNames(Object.prototype);
		for (const place of placesIn(operation)) {
			for (const text of pollutingIn(place)) {
				const { error } = await receivedWith(place, text);
				expect(error?.message ?? '').not.toMatch(/is not a function|Cannot read/);
				expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
				expect(({} as Record<string, unknown>).polluted).toBeUndefined();
			}
		}
	});

	test('most of these texts do reach the service, as what they are', () => {
		expect(reached.size).toBeGreaterThan(10);
	});
});
