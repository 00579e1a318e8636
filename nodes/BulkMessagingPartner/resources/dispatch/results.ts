import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { DispatchProgress } from './delivery/interruption';
import { countByReason } from './plan/losses';
import type { Sorted } from './plan/sorter';
import { z } from '../../../../vendor/zod';

export const Summary = z.object({
	dispatchId: z.number(),
	name: z.string(),
	status: z.string(),
	items: z.number(),
	total: z.number(),
	success: z.number(),
	failed: z.number(),
	priceEstimate: z.object({ total: z.number(), currency: z.string() }),
	rejected: z.object({
		unreadableNumber: z.number(),
		duplicate: z.number(),
		missingValue: z.number(),
		emptyText: z.number(),
		refusedByService: z.number(),
	}),
});

interface Placing extends Sorted {
	progress: DispatchProgress;
	itemIndexes: readonly number[];
	choices: { output: 'summary' | 'recipients' };
}

/** Why somebody is not in the dispatch who could be. */
const absence = ({ isClosed }: DispatchProgress) =>
	isClosed
		? {
				reason: 'startedBefore',
				detail: 'The dispatch was started before, without this recipient: nobody can be added',
			}
		: {
				reason: 'refusedByService',
				detail:
					'The service did not take this recipient: no sender name fits the operator, or the number is blacklisted',
			};

const countRejects = ({ accepted, rejected, progress }: Placing) => ({
	...countByReason(rejected),
	refusedByService: 0,
	[absence(progress).reason]: accepted.length - progress.placed.taken,
});

/** A number that could not be read, as it was given. */
export const toShown = (phone: unknown): string =>
	typeof phone === 'object' ? JSON.stringify(phone) : String(phone ?? '');

/** One item per recipient, in the order of the items, each linked to its own. */
const recipientItems = (
	{ accepted, rejected, progress }: Placing,
	{ started, notStartedBecause }: IDataObject,
): INodeExecutionData[] => {
	const { dispatchId, placed } = progress;
	const results = [
		...Array.from(accepted, (one, index) => {
			const message = placed.at(index);
			const json: IDataObject =
				message === undefined
					? {
							destination: one.destination,
							accepted: false,
							...absence(progress),
						}
					: { destination: one.destination, accepted: true, ...message };
			return { itemIndex: one.itemIndex, position: one.position, json };
		}),
		...rejected.map(({ itemIndex, position, phone, reason, detail }) => ({
			itemIndex,
			position,
			json: { destination: toShown(phone), accepted: false, reason, detail },
		})),
	];
	return results
		.sort((a, b) => a.position - b.position)
		.map(({ itemIndex, json }) => ({
			json: {
				dispatchId,
				...json,
				...(started !== undefined && { started }),
				...(notStartedBecause !== undefined && { notStartedBecause }),
			},
			pairedItem: { item: itemIndex },
		}));
};

/** What leaves the node for one dispatch. */
export const toDispatchResult = (
	placing: Placing,
	summary: IDataObject,
): { items: INodeExecutionData[]; refused: number } => {
	const { accepted, rejected, progress, itemIndexes, choices } = placing;
	const success = progress.placed.taken;
	const refused = accepted.length - success;
	if (choices.output === 'recipients') return { items: recipientItems(placing, summary), refused };
	const json = {
		dispatchId: progress.dispatchId,
		...summary,
		items: itemIndexes.length,
		total: accepted.length + rejected.length,
		success,
		failed: accepted.length + rejected.length - success,
		rejected: countRejects(placing),
	};
	return { items: [{ json, pairedItem: itemIndexes.map((item) => ({ item })) }], refused };
};
