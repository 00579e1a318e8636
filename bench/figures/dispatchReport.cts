import type { Figure } from '../support/figure.cts';
import { runBare, runPartnerNode } from '../support/programs.cts';
import { reportId } from '../support/reportedMessages.cts';
import { inRounds } from '../support/rounds.cts';

const getReport = {
	resource: 'dispatch',
	operation: 'getReport',
	companyId: { __rl: true, mode: 'id', value: '' },
	id: { __rl: true, mode: 'id', value: String(reportId) },
	includeHtml: false,
};

export const dispatchReport: Figure = {
	name: 'Dispatch Get Report',
	run: async (ground) => {
		const { service, quick, report } = ground;
		const size = quick ? 1_000 : 100_000;
		// The first run writes the pages at the service, and warms up both sides.
		const runs = 2;
		service.reported = size;
		const { node, bare } = await inRounds(
			quick ? 1 : 5,
			{
				node: async () => {
					const sizes = Array.from({ length: runs }, () => 1);
					return (await runPartnerNode(getReport, sizes, ground))[runs - 1].ms;
				},
				bare: async () => {
					const sizes = Array.from({ length: runs }, () => size);
					return (await runBare('bareReport', sizes, ground))[runs - 1].ms;
				},
			},
			report,
		);
		return [
			{
				what: `${size.toLocaleString('en')} messages`,
				unit: 'ms',
				ours: { name: 'Dispatch Get Report', values: node },
				theirs: { name: 'a plain script', values: bare },
				limit: 1.5,
				note: "pages of 100 on both sides; the script asks for one after another with Node's fetch and only counts; both in a process of their own, our node in n8n's engine, which asks for four pages at a time; the service responds at once",
			},
		];
	},
};
