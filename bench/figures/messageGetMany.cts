import type { Figure } from '../support/figure.cts';
import { inRounds } from '../support/rounds.cts';
import { dispatchOf } from '../support/sandboxDispatch.cts';
import { chain, httpStep, partnerStep, splitStep } from '../support/workflows.cts';

const pageSize = 100;

const expectCount = (count: number, wanted: number) => {
	if (count !== wanted) throw new Error(`${count} messages came instead of ${wanted}.`);
};

export const messageGetMany: Figure = {
	name: 'Message Get Many',
	run: async (ground) => {
		const { sandbox, run, quick, report } = ground;
		const size = quick ? 500 : 100_000;
		const dispatchId = await dispatchOf(size, ground);

		const ours = chain('bench-get-many-ours', [
			partnerStep('Ours', sandbox.credential, {
				resource: 'message',
				operation: 'getAll',
				dispatchId: { __rl: true, mode: 'id', value: String(dispatchId) },
				returnAll: true,
				// All fields, as the other node gives them.
				simplify: false,
			}),
		]);
		const pagination = {
			paginationMode: 'updateAParameterInEachRequest',
			parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
			paginationCompleteWhen: 'other',
			// What the last page itself says: no request behind the end.
			completeExpression:
				'={{ $response.body.page * $response.body.perPage >= $response.body.total }}',
			limitPagesFetched: false,
			requestInterval: 0,
		};
		const theirs = chain('bench-get-many-theirs', [
			httpStep(
				'HTTP Request',
				{
					url: `${sandbox.access.partnerBaseUrl}/messages`,
					sendQuery: true,
					queryParameters: {
						parameters: [
							{ name: 'dispatchId', value: String(dispatchId) },
							{ name: 'perPage', value: String(pageSize) },
						],
					},
					options: { pagination: { pagination } },
				},
				sandbox.credential,
			),
			splitStep('Split Out', 'items'),
		]);

		const splitTimes: number[] = [];
		const measureOurs = async () => {
			const finished = await run(ours);
			expectCount(finished.items('Ours').length, size);
			return finished.ms('Ours');
		};
		const measureTheirs = async () => {
			const finished = await run(theirs);
			expectCount(finished.items('Split Out').length, size);
			splitTimes.push(finished.ms('Split Out'));
			return finished.ms('HTTP Request');
		};
		// Logs in, compiles and fills caches.
		await measureOurs();
		await measureTheirs();
		splitTimes.length = 0;
		const times = await inRounds(
			quick ? 1 : 4,
			{ ours: measureOurs, theirs: measureTheirs },
			report,
		);
		const withSplit = times.theirs.map((ms, round) => ms + splitTimes[round]);

		const what = `${size.toLocaleString('en')} messages, Return All`;
		const side = { name: 'Message Get Many', values: times.ours };
		return [
			{
				what,
				unit: 'ms',
				ours: side,
				theirs: { name: 'HTTP Request, its pagination', values: times.theirs },
				limit: 1,
				note: `pages of ${pageSize} on both sides; it gives one item per page, we give one per message`,
			},
			{
				what,
				unit: 'ms',
				ours: side,
				theirs: { name: 'HTTP Request + Split Out', values: withSplit },
				limit: 1,
				note: 'the same items as ours',
			},
		];
	},
};
