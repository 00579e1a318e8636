import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { partner } from '../../core/contract/partner';
import { visit } from '../../core/transport/list';
import { json } from '../support/server.cts';
import { attempt } from '../support/transportNode.cts';
import { companies, cut, numbers, pageOf, type Company } from './companies.cts';
import { quick } from './calls.cts';
import { partnerCredential, servePartner, type Answer } from './service.cts';

type Entry = Record<string, unknown>;

const visitCompanies = async (answer: Answer, onEntry: (entry: Entry) => void) => {
	const service = await servePartner(answer);
	const { reply, failure } = await attempt(
		partnerCredential(service.url, { token: 'still-valid' }),
		async (context) => await visit(context, partner.companyList, {}, onEntry, { retry: quick }),
	);
	return { reply, failure, service };
};

const pages =
	(all: readonly Company[]): Answer =>
	(request) => {
		const { page, size } = pageOf(request);
		return json(200, cut(all, page, size));
	};

it('hands on the entries of a page before it asks for the pages after the next', async () => {
	let handed = 0;
	const early: Array<[page: number, handed: number]> = [];
	const answer = pages(companies(2_000));
	await visitCompanies(
		(request) => {
			const { page } = pageOf(request);
			// Four pages are asked for at a time.
			if (handed < (page - 5) * 100) early.push([page, handed]);
			return answer(request);
		},
		() => handed++,
	);

	expect(handed).toBe(2_000);
	expect(early).toEqual([]);
});

it('keeps no entry that it has handed on', async () => {
	setFlagsFromString('--expose_gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const held: Array<WeakRef<Entry>> = [];
	let kept: number | undefined;
	const answer = pages(companies(2_000));
	await visitCompanies(
		(request) => {
			if (pageOf(request).page === 20) {
				collectGarbage();
				const early = held.slice(100, 1_000);
				kept = early.filter((entry) => entry.deref() !== undefined).length;
			}
			return answer(request);
		},
		(entry) => held.push(new WeakRef(entry)),
	);

	expect(held).toHaveLength(2_000);
	expect(kept).toBe(0);
});

it('an error of the one who is handed entries ends it', async () => {
	const { failure, service } = await visitCompanies(pages(companies(950)), () => {
		throw new Error('not this one');
	});
	expect(failure?.message).toBe('not this one');
	expect(service.calls.map(pageOf).map(({ page }) => page)).toEqual(numbers(1, 1));
});
