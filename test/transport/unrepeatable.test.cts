import type { Behaviour } from '../support/server.cts';
import { json, reset, text, tooLate, truncated } from '../support/server.cts';
import { quick, unrepeatableCalls } from './calls.cts';
import { cutOff, inOrder, partnerCredential, servePartner, stalled } from './service.cts';

const page = '<html><body>Bad Gateway</body></html>';
const reply = { companyId: 5, id: 5, note: 'a reply that is cut in the middle' };

/** After each of these the service may have done what it was asked to do. */
const doubtful: Array<[string, Behaviour]> = [
	['a connection reset', reset],
	['no answer in time', tooLate],
	['an answer that begins and stops', stalled(201, reply)],
	['an answer that is cut off', cutOff(201, reply)],
	['a web page with 200', text(200, page, 'text/html')],
	['an error with 200', json(200, { error: { code: 4000, msg: 'No' } })],
	['an error as text with 200', json(200, { error: 'No' })],
	['a failure with 200', json(200, { success: false })],
	['408', text(408, '')],
	['500', json(500, { error: { code: 5000, msg: 'Internal Server Error' } })],
	['502 with a web page', text(502, page, 'text/html')],
	['503', text(503, '')],
	['503 with Retry-After', json(503, {}, { 'retry-after': '0' })],
	['504', text(504, 'Gateway Timeout')],
];

/** After each of these the service has accepted it, and says too little about it. */
const answered: Array<[string, Behaviour, unknown]> = [
	['truncated JSON with 200', truncated(200, reply), expect.stringMatching(/^\{/)],
	['truncated JSON with 201', truncated(201, reply), expect.stringMatching(/^\{/)],
	['an empty body with 201', text(201, ''), ''],
	['an empty answer with 202', text(202, ''), ''],
	['an empty answer with 204', (_, response) => response.writeHead(204).end(), ''],
	['null', text(201, 'null', 'application/json'), null],
	['a text', text(201, '"created"', 'application/json'), 'created'],
	['an empty object', json(200, {}), {}],
	['an empty list', json(200, []), []],
];

describe.each(unrepeatableCalls)('$name', ({ status, reply: good, run }) => {
	it.each(answered)('is accepted, and sent once, after %s', async (_, answer, expected) => {
		const service = await servePartner(inOrder(answer, json(status, good)));

		const attempted = await run(partnerCredential(service.url));

		expect(attempted.failure).toBeUndefined();
		expect(attempted.reply).toEqual(expected);
		expect(service.calls).toHaveLength(1);
	});

	it.each(doubtful)('is sent once, and its outcome is unknown, after %s', async (_, trouble) => {
		const service = await servePartner(inOrder(trouble, json(status, good)));

		const attempted = await run(partnerCredential(service.url));

		expect(attempted.reply).toBeUndefined();
		expect(attempted.failure).toMatchObject({ name: 'ServiceError', outcome: 'unknown' });
		expect(service.calls).toHaveLength(1);
	});

	it('is repeated after 429, because it was not carried out', async () => {
		const service = await servePartner(
			inOrder(text(429, ''), json(429, {}, { 'retry-after': '0' }), json(status, good)),
		);
		const attempted = await run(partnerCredential(service.url));
		expect(attempted.reply).toEqual(good);
		expect(service.calls).toHaveLength(3);
		expect(service.calls[2]?.body).toEqual(service.calls[0]?.body);
	});

	it('stops at a doubtful answer that follows a 429', async () => {
		const service = await servePartner(inOrder(text(429, ''), reset, json(status, good)));
		const { failure } = await run(partnerCredential(service.url));
		expect(failure?.outcome).toBe('unknown');
		expect(service.calls).toHaveLength(2);
	});

	it('is not carried out after nothing but 429', async () => {
		const service = await servePartner(inOrder(text(429, '')));
		const { failure } = await run(partnerCredential(service.url));
		expect(failure).toMatchObject({ outcome: 'notCarriedOut', problem: { status: 429 } });
		expect(service.calls).toHaveLength(quick.attempts);
	});

	it.each([400, 402, 403, 404, 405, 409, 413, 422])('is refused by %d', async (refusal) => {
		const service = await servePartner(
			inOrder(json(refusal, { error: { code: 4000, msg: 'Bad Request' } }), json(status, good)),
		);

		const { failure } = await run(partnerCredential(service.url));

		expect(failure).toMatchObject({
			outcome: 'refused',
			problem: { status: refusal, code: 4000, serviceText: 'Bad Request' },
		});
		expect(service.calls).toHaveLength(1);
	});
});
