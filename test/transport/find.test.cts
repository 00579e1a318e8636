import { partner } from '../../core/contract/partner';
import { find } from '../../core/transport/list';
import { json } from '../support/server.cts';
import { attempt } from '../support/transportNode.cts';
import { companies, cut, pageOf } from './companies.cts';
import { partnerCredential, servePartner } from './service.cts';

const all = companies(950);

const findCompany = async (companyId: number) => {
	const service = await servePartner((request) => {
		const { page, size } = pageOf(request);
		return json(200, cut(all, page, size));
	});
	const { reply } = await attempt(
		partnerCredential(service.url),
		async (context) =>
			await find(context, partner.companyList, {}, (entry) => entry.companyId === companyId),
	);
	return { reply, pages: service.calls.map(pageOf) };
};

it('finds an entry of the first page without asking for another', async () => {
	const { reply, pages } = await findCompany(7);
	expect(reply).toEqual(all[6]);
	expect(pages.map(({ page }) => page)).toEqual([1]);
});

it('finds an entry of a later page and asks for little more', async () => {
	const { reply, pages } = await findCompany(250);
	expect(reply).toEqual(all[249]);
	expect(pages.length).toBeLessThan(10);
});

it('finds nothing where nothing fits, after the last page', async () => {
	const { reply, pages } = await findCompany(5_000);
	expect(reply).toBeUndefined();
	expect(pages).toHaveLength(10);
});
