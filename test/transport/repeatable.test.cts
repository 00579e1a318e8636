import type { Behaviour } from '../support/server.cts';
import { json, reset, text, tooLate, truncated } from '../support/server.cts';
import { getDispatch, quick, repeatableCalls } from './calls.cts';
import { asked, cutOff, inOrder, partnerCredential, servePartner, stalled } from './service.cts';

const page = '<!DOCTYPE html><html><body>Bad Gateway</body></html>';

/** Everything that may befall a call once and be gone a moment later. */
const passing: Array<[string, Behaviour]> = [
	['a connection reset', reset],
	['no answer in time', tooLate],
	['an answer that begins and stops', stalled(200, { id: 5 })],
	['an answer that is cut off', cutOff(200, { id: 5 })],
	['truncated JSON', truncated(200, { id: 5, name: 'a name that is cut' })],
	['a web page with 200', text(200, page, 'text/html')],
	['408', json(408, { error: { code: 4080, msg: 'Request Timeout' } })],
	['429', json(429, { error: { code: 4290, msg: 'Too Many Requests' } })],
	['500', json(500, { error: { code: 5000, msg: 'Internal Server Error' } })],
	['502 with a web page', text(502, page, 'text/html')],
	['503', text(503, '')],
	['504', text(504, 'Gateway Timeout')],
];

describe.each(repeatableCalls)('$name', ({ name, status, reply, run }) => {
	const isReading = name.startsWith('GET');
	it.each([
		['an empty answer', text(200, '')],
		['204', ((_, response) => response.writeHead(204).end()) satisfies Behaviour],
	])(
		`${isReading ? 'is repeated' : 'is carried out, and sent once,'} after %s`,
		async (_, answer) => {
			const service = await servePartner(inOrder(answer, json(status, reply)));
			const attempted = await run(partnerCredential(service.url));
			expect(attempted.failure).toBeUndefined();
			expect(attempted.reply).toEqual(isReading ? reply : '');
			expect(service.calls).toHaveLength(isReading ? 2 : 1);
		},
	);

	it('is refused by an error that comes with 200', async () => {
		const error = { error: { code: 4000, msg: 'No' } };
		const service = await servePartner(inOrder(json(200, error), json(status, reply)));
		const { failure } = await run(partnerCredential(service.url));
		expect(failure).toMatchObject({ outcome: 'refused', problem: { serviceText: 'No' } });
		expect(service.calls).toHaveLength(1);
	});

	it.each(passing)('is repeated after %s', async (_, trouble) => {
		const service = await servePartner(inOrder(trouble, json(status, reply)));

		const attempted = await run(partnerCredential(service.url));

		expect(attempted.failure).toBeUndefined();
		expect(attempted.reply).toEqual(reply);
		expect(service.calls).toHaveLength(2);
		const [first, second] = service.calls;
		expect(second?.url).toBe(first?.url);
		expect(second?.method).toBe(first?.method);
		expect(second?.body).toEqual(first?.body);
	});

	it('is repeated three times at most, then given up with an unknown outcome', async () => {
		const service = await servePartner(inOrder(reset));
		const { failure } = await run(partnerCredential(service.url));
		expect(failure).toMatchObject({ name: 'ServiceError', outcome: 'unknown' });
		expect(failure?.message).toBe('The connection to the service was lost');
		expect(service.calls).toHaveLength(quick.attempts);
	});

	it('succeeds on the last attempt', async () => {
		const service = await servePartner(inOrder(reset, text(503, ''), tooLate, json(status, reply)));
		const attempted = await run(partnerCredential(service.url));
		expect(attempted.reply).toEqual(reply);
		expect(service.calls).toHaveLength(4);
	});
});

it.each([1, 2, 3])('sends %d times when the policy says so', async (attempts) => {
	const service = await servePartner(inOrder(text(500, '')));

	const { failure } = await getDispatch.run(partnerCredential(service.url), {
		retry: { ...quick, attempts },
	});

	expect(failure).toMatchObject({ outcome: 'unknown', problem: { status: 500 } });
	expect(service.calls).toHaveLength(attempts);
});

it('logs in once for all attempts of a call', async () => {
	const service = await servePartner(inOrder(reset, text(500, ''), json(200, getDispatch.reply)));
	await getDispatch.run(partnerCredential(service.url));
	expect(asked(service.received)).toEqual([
		'POST /auth/token',
		'GET /dispatches/5',
		'GET /dispatches/5',
		'GET /dispatches/5',
	]);
});
