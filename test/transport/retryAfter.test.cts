import { json, type Behaviour } from '../support/server.cts';
import type * as Tempo from '../support/tempo.cts';
import { createCompany, getDispatch, quick } from './calls.cts';
import { inOrder, partnerCredential, servePartner, type Answer } from './service.cts';

const patient = { ...quick, longestPauseMs: 5_000 };
const tooMany = (retryAfter: string): Behaviour =>
	json(429, { error: { code: 4290, msg: 'Slow down' } }, { 'retry-after': retryAfter });

// Time passes only in pauses.
jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof Tempo>('../support/tempo.cts').workflowAtTempo(),
);

/** The time at each request. */
const recordTimes = (answer: Answer) => {
	const times: number[] = [];
	const recorded: Answer = (request) => {
		times.push(Date.now());
		return answer(request);
	};
	return { times, recorded };
};

describe.each([getDispatch, createCompany])('$name', ({ status, reply, run }) => {
	it('waits as many seconds as the service asks for', async () => {
		const { times, recorded } = recordTimes(inOrder(tooMany('1'), json(status, reply)));
		const service = await servePartner(recorded);
		const attempted = await run(partnerCredential(service.url), { retry: patient });
		expect(attempted.reply).toEqual(reply);
		expect(times).toHaveLength(2);
		expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(1_000);
	});

	it.each([
		['60 minutes', '3600'],
		['90 seconds', '90'],
		// A date has whole seconds.
		['120 minutes', new Date(Date.now() + 7_200_000).toUTCString()],
	])('gives up at once when asked to wait for %s', async (shown, retryAfter) => {
		const service = await servePartner(inOrder(tooMany(retryAfter), json(status, reply)));
		const { failure } = await run(partnerCredential(service.url));
		expect(service.calls).toHaveLength(1);
		expect(failure).toMatchObject({
			outcome: 'notCarriedOut',
			message: 'The service is receiving too many requests from you',
		});
		expect(failure?.description).toContain(`The service asks to wait ${shown}.`);
	});
});

it('is heeded with 503 too', async () => {
	const { times, recorded } = recordTimes(
		inOrder(json(503, {}, { 'retry-after': '1' }), json(200, getDispatch.reply)),
	);
	const service = await servePartner(recorded);
	await getDispatch.run(partnerCredential(service.url), { retry: patient });
	expect(times).toHaveLength(2);
	expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(1_000);
});
