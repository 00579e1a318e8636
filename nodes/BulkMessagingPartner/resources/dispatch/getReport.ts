import type { INodeExecutionData } from 'n8n-workflow';
import { partner } from '../../../../core/contract/partner';
import { carryOutAll, eachItem, inTurn } from '../../../../core/engine/carryOutAll';
import { toItem } from '../../../../core/engine/items';
import { defineOperation, type Run } from '../../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import { visit } from '../../../../core/transport/list';
import { requireReadable } from '../../../../core/transport/readable';
import { checkRequest, send } from '../../../../core/transport/send';
import { simplifyParam } from '../../../shared/lists';
import { companyForList, dispatchInPath } from '../../../shared/locators';
import { MessageCollector } from '../../../dispatches/report/collect';
import { readEstimate, toReport } from '../../../dispatches/report/figures';
import { toPage } from '../../../dispatches/report/html';
import { ReportLookups } from '../../../dispatches/report/lookups';
import { SimpleReport } from '../../../dispatches/report/schema';

const reportParams = [
	{
		...companyForList,
		description:
			'Fills the list below and helps identify operators. You can leave it empty if you enter an ID there.',
	},
	dispatchInPath,
	{
		displayName: 'Include HTML Report',
		name: 'includeHtml',
		type: 'boolean',
		default: false,
		description:
			'Whether to add an HTML page with charts as a file, for example to email it or open it in n8n',
	},
	{
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'report',
		required: true,
		displayOptions: { show: { includeHtml: [true] } },
		hint: 'The name of the output field to put the HTML file in',
	},
	simplifyParam,
] as const satisfies readonly Param[];
type ReportValues = ValuesOf<typeof reportParams>;

/** Without figures that aren't known. */
const withoutNulls = (report: unknown): unknown =>
	JSON.parse(JSON.stringify(report, (_, value: unknown) => value ?? undefined));

/** Reads one dispatch with all of its messages. */
const readReport = async (
	{ context }: Run<ReportValues>,
	{ id, companyId, includeHtml, binaryPropertyName, simplify }: ReportValues,
	lookups: ReportLookups,
): Promise<Pick<INodeExecutionData, 'json' | 'binary'>> => {
	const reply = await send(context, partner.dispatchGet, { path: { id } });
	const dispatch = await requireReadable(context, partner.dispatchGet, reply);
	const collector = new MessageCollector();
	const query = { dispatchId: id };
	await visit(context, partner.messageList, { query }, collector.add, { pageSize: 1_000 });
	const reportedAt = Date.now();
	const deliveredAt = Float64Array.from(collector.deliveredAt).sort();
	const report = toReport(id, dispatch, collector, deliveredAt, {
		senders: await lookups.sendersOf(collector.bySender.keys(), companyId || undefined),
		currency: readEstimate(dispatch).currency ?? (await lookups.currencyOfTariffs()),
		reportedAt,
	});
	const json = simplify ? toItem(withoutNulls(report), SimpleReport) : toItem(report);
	if (!includeHtml) return { json };
	const page = toPage(report, deliveredAt, context.getTimezone());
	const file = await context.helpers.prepareBinaryData(
		Buffer.from(page),
		`dispatch-${id}-report.html`,
		'text/html',
	);
	return { json, binary: { [binaryPropertyName]: file } };
};

const reportWords = { one: 'report made', many: 'reports made', none: 'No report was made.' };

export const getReport = defineOperation({
	value: 'getReport',
	name: 'Get Report',
	action: 'Get dispatch report',
	description:
		"Get a dispatch's totals, its cost and who wasn't reached. Turn off 'Simplify' for figures by operator and delivery times. Optionally adds an HTML page with charts. It reads every message, so a large dispatch takes a while.",
	done: reportWords,
	output: SimpleReport,
	params: reportParams,
	effect: 'reads',
	execute: async (run) => {
		const lookups = new ReportLookups(run.context);
		return await carryOutAll(run, {
			units: eachItem(run),
			prepare: (itemIndex) => {
				const values = run.values(itemIndex);
				checkRequest(partner.dispatchGet, { path: { id: values.id } });
				return values;
			},
			keyOf: ({ id }) => id,
			needsAll: true,
			carryOut: inTurn(run, async ({ task }) => [await readReport(run, task, lookups)]),
			words: reportWords,
		});
	},
});
