import type { Figure } from '../support/figure.cts';
import { runBare, runPartnerNode } from '../support/programs.cts';
import { reportId } from '../support/reportedMessages.cts';
import { inRounds } from '../support/rounds.cts';
import { latencyMs } from '../support/service.cts';

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
		service.reported = size;
		/** The last of some runs in a new process: the ones before warm up. */
		const measure = (runs: number) => ({
			node: async () => {
				const sizes = Array.from({ length: runs }, () => 1);
				return (await runPartnerNode(getReport, sizes, ground))[runs - 1].ms;
			},
			bare: async () => {
				const sizes = Array.from({ length: runs }, () => size);
				return (await runBare('bareReport', sizes, ground))[runs - 1].ms;
			},
		});
		// The first run also writes the pages at the service.
		const atOnce = await inRounds(quick ? 1 : 5, measure(2), report);
		service.delaysMessages = true;
		const delayed = await inRounds(quick ? 1 : 3, measure(1), report).finally(() => {
			service.delaysMessages = false;
		});
		const what = `${size.toLocaleString('en')} messages`;
		const note =
			"the script asks for one page after another with Node's fetch, 100 messages each, as many as the service lists by default, and only counts; our node asks for 1,000 messages a page, four pages at a time; both in a process of their own, our node in n8n's engine";
		return [
			{
				what: `${what}, ${latencyMs} ms latency`,
				unit: 'ms',
				ours: { name: 'Dispatch Get Report', values: delayed.node },
				theirs: { name: 'a plain script', values: delayed.bare },
				limit: 0.4,
				note,
			},
			{
				what: `${what}, a service that responds at once`,
				unit: 'ms',
				ours: { name: 'Dispatch Get Report', values: atOnce.node },
				theirs: { name: 'a plain script', values: atOnce.bare },
				limit: 1.5,
				note: `${note}; no real service responds this fast: the row shows what the processor has to do`,
			},
		];
	},
};
