import { apiErrors } from '../../core/contract/errors';
import { messaging } from '../../core/contract/messaging';
import { getDispatch, trySend } from './calls.cts';
import { common, errorBody, invalid, ofMessaging, type Row } from './explanations.cts';
import { messagingCredential, partnerCredential, serve, servePartner } from './service.cts';

const check = (
	failure: { message: string; description?: string } | undefined,
	{ message, says }: Row,
) => {
	expect(failure?.message).toBe(message);
	for (const part of says) expect(failure?.description).toContain(part);
	expect(failure?.description).not.toMatch(/undefined|null|\[object|NaN/);
	expect(failure?.description).toMatch(/\S$/);
};

test('every code of the contract has a row in explanations.cts', () => {
	const covered = [...common, ...ofMessaging].map(({ what }) => what).join('; ');
	expect(Object.keys(apiErrors).filter((code) => !covered.includes(code))).toEqual([]);
});

const once = { retry: { attempts: 1, firstPauseMs: 1, longestPauseMs: 1 } };

describe('the partner API', () => {
	it.each(common)('$what', async (row) => {
		const service = await servePartner(() => row.answer);

		const { failure } = await getDispatch.run(partnerCredential(service.url), once);

		check(failure, row);
	});

	it.each(['', '   ', '\n'])('says nothing in the name of the service for %j', async (msg) => {
		const service = await servePartner(() => errorBody(400, 4000, msg));

		const { failure } = await getDispatch.run(partnerCredential(service.url));

		expect(failure?.message).toBe(invalid);
		expect(failure?.description).not.toContain('The service says');
	});
});

describe('the messaging API', () => {
	it.each([...common, ...ofMessaging])('$what', async (row) => {
		const server = await serve(() => row.answer);

		const { failure } = await trySend(
			messagingCredential(`${server.url}/api/v1`),
			messaging.balance,
			{},
			once,
		);

		check(failure, row);
	});
});
