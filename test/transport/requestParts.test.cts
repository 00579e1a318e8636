import { partner } from '../../core/contract/partner';
import { encodeBody } from '../../core/transport/request';
import { InvalidRequestError } from '../../core/transport/outcome';
import { checkRequest } from '../../core/transport/send';

describe('the parts of a request', () => {
	it.each([
		['a path', partner.dispatchGet, {}],
		['a body', partner.companyCreate, {}],
		['a query that is wrong', partner.companyList, { query: { page: 'first' } }],
	])('%s: rejected before anything is sent', (_, endpoint, request) => {
		expect(() => checkRequest(endpoint, request)).toThrow(InvalidRequestError);
	});

	it('a query may be missing', () => {
		expect(() => checkRequest(partner.companyList, {})).not.toThrow();
	});

	it('a call that has no body sends none, whatever it is given', async () => {
		expect(await encodeBody(partner.dispatchGet, { id: 5 })).toEqual({});
	});
});
