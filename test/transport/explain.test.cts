import { apiErrors } from '../../core/contract/errors';
import { partner } from '../../core/contract/partner';
import { json } from '../support/server.cts';
import { getDispatch, trySend, askBalance } from './calls.cts';
import { common, errorBody, invalid, ofMessaging, type Row } from './explanations.cts';
import { partnerCredential, serve, servePartner } from './service.cts';

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

		const { failure } = await askBalance(server.url, {}, once);

		check(failure, row);
	});
});

describe('404 with JSON that is not the service\'s "not found"', () => {
	const ofFramework = json(404, { statusCode: 404, error: 'Not Found' });
	const ownShape = errorBody(404, 4041, 'No route');
	const notFound = "The service didn't find the requested entry";
	const unknownUrl = "The service doesn't know this URL";

	it.each([
		['a list without any ID', partner.companyList, {}],
		['prices', partner.tariffList, { query: { brand: 'MTS' } }],
		['an ID in the path', partner.dispatchGet, { path: { id: 5 } }],
		['an ID in the query', partner.senderList, { query: { companyId: 5 } }],
		[
			'an ID in the body',
			partner.recipientUpdate,
			{ body: { companyId: 5, msisdn: '79161234567', blacklist: true } },
		],
	] as const)('may be about the URL or an ID: %s', async (_, endpoint, request) => {
		for (const answer of [ofFramework, ownShape]) {
			const service = await servePartner(() => answer);
			const { failure } = await trySend(
				partnerCredential(service.url),
				endpoint,
				// Each row gives what its endpoint needs; together they have no common type.
				request as never,
				once,
			);
			expect(failure?.message).toBe(unknownUrl);
			const hasId = endpoint.path.includes('{');
			expect(failure?.description?.includes("or the ID doesn't exist")).toBe(hasId);
		}
	});

	it("the service's own code stays what it says, whatever was asked", async () => {
		const service = await servePartner(() => errorBody(404, 4040, 'Not Found'));
		const { failure } = await trySend(
			partnerCredential(service.url),
			partner.companyList,
			{},
			once,
		);
		expect(failure?.message).toBe(notFound);
		// There is no ID to check.
		expect(failure?.description).not.toContain('the ID');
	});
});
