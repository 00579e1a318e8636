import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { outcomeByStatus } from '../../../../../core/contract/readEvent';
import { ServiceError } from '../../../../../core/transport/outcome';
import { z } from '../../../../../vendor/zod';
import { countByReason } from '../plan/losses';
import type { DispatchPlan } from '../plan/plan';
import { toRecipientItems, toRejectedState, type RecipientState } from '../recipientRows';
import { acceptedIn, type Placed, type Stop, type Whole } from './job';
import { partnerApi } from './partnerApi';
import { withReason } from './refusal';
import type { DispatchState, FinalState } from './service';

export const Summary = z.object({
	dispatchId: z.number(),
	name: z.string(),
	status: z.string(),
	items: z.number(),
	total: z.number(),
	success: z.number(),
	failed: z.number(),
	priceEstimate: z.object({ total: z.number(), currency: z.string(), parts: z.number() }),
	rejected: z.object({
		unreadableNumber: z.number(),
		duplicate: z.number(),
		missingValue: z.number(),
		emptyText: z.number(),
		refusedByService: z.number(),
	}),
});

/** What became of one dispatch, for its rows and its summary. */
interface ToldDispatch {
	dispatchId: number;
	/** The message of each accepted recipient. */
	placed: Placed;
	/** The dispatch's own fields in the summary. */
	summary: IDataObject;
	/** Whether the dispatch was started; `undefined` if that wasn't wanted. */
	started?: boolean;
	notStartedBecause?: string;
	/** By `messageUuid`, if the node waited for delivery. */
	finals?: ReadonlyMap<string, FinalState>;
	senderNames?: ReadonlyMap<number, string>;
	/** Why the service rejected recipients, by their numbers, where it says so. */
	reasons?: ReadonlyMap<string, string>;
	/** The reason for all others; the partner API's if missing. */
	whyRejected?: string;
}

/** The result of one dispatch. */
export interface DispatchResult {
	items: INodeExecutionData[];
	/** How many recipients the service rejected. */
	refused: number;
	/** The dispatch that was created or changed. */
	dispatchId?: number;
}

export const stateSummary = (
	{ name, status, estimate, parts }: DispatchState,
	currency?: string,
): IDataObject => ({ name, status, priceEstimate: { total: estimate, currency, parts } });

/** Without a final state, all that is known is that the service accepted the message. */
const rowOutcome = (final: FinalState | undefined, { started }: ToldDispatch): string => {
	if (final !== undefined) return outcomeByStatus(final.status);
	if (started === undefined) return 'created';
	return started ? 'accepted' : 'notStarted';
};

const reasonOf = (
	outcome: string,
	final: FinalState | undefined,
	{ notStartedBecause = '' }: ToldDispatch,
) =>
	outcome === 'failed'
		? (final?.reason ?? 'Not delivered. The service gave no reason.')
		: notStartedBecause;

/** The result for every recipient, accepted or not. */
const statesOf = (
	{ accepted, rejected }: DispatchPlan<unknown>,
	told: ToldDispatch,
): RecipientState[] => {
	const { dispatchId, placed, finals, senderNames, reasons } = told;
	const { whyRejected = partnerApi.whyRejected } = told;
	return [
		...accepted.map(({ itemIndex, position, destination, text = '' }) => {
			const message = placed.get(destination);
			const shared = { dispatchId, destination };
			if (!message) {
				const reason = reasons?.get(destination) ?? whyRejected;
				const why = { reasonCode: 'refusedByService', reason };
				const columns = { ...shared, text, outcome: 'notSent', ...why };
				return { itemIndex, position, columns };
			}
			const { messageUuid, parts, senderId = 0 } = message;
			const stored = message.text ?? text;
			const final = finals?.get(messageUuid);
			const outcome = rowOutcome(final, told);
			const columns = {
				...shared,
				// What the service stores, if it was read.
				text: final?.text ?? stored,
				accepted: true,
				outcome,
				reason: reasonOf(outcome, final, told),
				status: final?.status ?? '',
				messageUuid,
				// 0 if the response doesn't show them.
				parts: parts || null,
				price: final?.price ?? null,
				sender: senderNames?.get(senderId) ?? '',
			};
			return { itemIndex, position, columns };
		}),
		...rejected.map((one) => toRejectedState(one, dispatchId)),
	];
};

/** The output items for one dispatch. */
export const tellDispatch = (plan: DispatchPlan<unknown>, told: ToldDispatch): DispatchResult => {
	const { accepted, rejected, itemIndexes, choices, ownFields } = plan;
	const { dispatchId, placed } = told;
	const success = acceptedIn(placed);
	const refused = accepted.length - success;
	if (choices.output === 'recipients') {
		return { items: toRecipientItems(statesOf(plan, told), ownFields), refused, dispatchId };
	}
	const json = {
		dispatchId,
		...told.summary,
		items: itemIndexes.length,
		total: accepted.length + rejected.length,
		success,
		failed: accepted.length + rejected.length - success,
		rejected: { ...countByReason(rejected), refusedByService: refused },
	};
	const pairedItem = itemIndexes.map((item) => ({ item }));
	return { items: [{ json, pairedItem }], refused, dispatchId };
};

const nobody = 'Nobody got a message from this run.';

/** What failed, without the general advice to try again: what to do next depends on the dispatch. */
const causeWords = (error: Error | undefined): string => {
	if (error === undefined) return '';
	const said = error instanceof ServiceError ? error.problem.serviceText : undefined;
	return `${error.message}.${said ? ` The service says: ${said}` : ''}`;
};

/** The error for a dispatch that was not started. */
export const stopError = async (
	context: IExecuteFunctions,
	{ title, advice, cause, isStarted }: Stop,
	rejected: Parameters<typeof withReason>[2],
): Promise<Error> => {
	const reason = cause && (await withReason(context, cause, rejected));
	// The service rejected the call itself, so its own reason is the title.
	if (title === '' && reason instanceof ServiceError)
		return reason.after(`${nobody} ${advice}`.trim());
	return new NodeOperationError(context.getNode(), title || causeWords(reason), {
		description: [isStarted ? '' : nobody, advice, causeWords(reason)]
			.filter((text) => text !== '')
			.join(' '),
	});
};

/** The error for a start whose result is not known. No later sentence may claim that nothing was sent. */
export const unknownStart = (context: IExecuteFunctions, { id }: Whole, error: Error): Error =>
	new NodeOperationError(context.getNode(), `It is not known whether dispatch ${id} was started`, {
		description: `All its recipients may get the message. Check dispatch ${id} in your account on the provider's website. If it isn't started, use 'Start' with it. Don't send it under another name. ${error.message}.`,
	});
