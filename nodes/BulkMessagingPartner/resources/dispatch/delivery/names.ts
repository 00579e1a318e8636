import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { perRun } from '../../../../../core/engine/perRun';
import { UnsettledError } from '../../../../../core/transport/lookThenSend';
import { comparableName, listDispatches, type ListedDispatch } from './calls';

/** The newest dispatch of each name. */
type Newest = ReadonlyMap<string, ListedDispatch>;

/**
 * What each company had before this run created anything. Read once: what the run itself creates is not in the way of its
 * other dispatches, and a second try by Retry On Fail doesn't stop at the first one's dispatch.
 */
const earlierOf = perRun(() => new Map<number, Promise<Newest>>());

const readNewest = async (context: IExecuteFunctions, companyId: number): Promise<Newest> => {
	const newest = new Map<string, ListedDispatch>();
	for (const dispatch of await listDispatches(context, { companyId })) {
		const name = comparableName(dispatch.name);
		if (dispatch.id > (newest.get(name)?.id ?? 0)) newest.set(name, dispatch);
	}
	return newest;
};

/** The newest dispatch of this name that the company had before the run. */
export const findNamed = async (
	context: IExecuteFunctions,
	{ companyId, name }: { companyId: number; name: string },
): Promise<ListedDispatch | undefined> => {
	const known = earlierOf(context);
	const reading = known.get(companyId) ?? readNewest(context, companyId);
	known.set(companyId, reading);
	const newest = await reading.catch((error: unknown) => {
		// The next try asks again.
		known.delete(companyId);
		throw error instanceof UnsettledError
			? new NodeOperationError(context.getNode(), error.message, {
					description:
						"Nothing was created or sent. The node looks for the name first, to protect you from sending twice. To skip that, set 'If the Name Exists' to 'Create Another Dispatch'.",
				})
			: error;
	});
	return newest.get(comparableName(name));
};

/** `15 Nov, 14:02` in the workflow's time zone; with the year if it is another one. */
const shownTime = (
	zone: string,
	text: string | undefined,
	now = new Date(),
): string | undefined => {
	const date = new Date(text ?? '');
	if (Number.isNaN(date.getTime())) return undefined;
	const format = (options: Intl.DateTimeFormatOptions) => (one: Date) =>
		new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone }).format(one);
	const year = format({ year: 'numeric' });
	const day = format({
		day: 'numeric',
		month: 'short',
		...(year(date) !== year(now) && { year: 'numeric' }),
	});
	return `${day(date)}, ${format({ hour: '2-digit', minute: '2-digit' })(date)}`;
};

const sentStatuses: ReadonlySet<string | undefined> = new Set(['STARTED', 'COMPLETED']);

/** In one sentence, without a full stop. */
export const describeNamed = (
	context: IExecuteFunctions,
	{ id, name, status, createdAt, startedAt }: ListedDispatch,
): string => {
	const zone = context.getTimezone();
	if (sentStatuses.has(status)) {
		const time = shownTime(zone, startedAt ?? createdAt);
		return `"${name}" was already sent as dispatch ${id}${time === undefined ? '' : ` on ${time}`}`;
	}
	const time = shownTime(zone, createdAt);
	const state = { CREATED: ', not started', STOPPED: ', stopped' }[status ?? ''] ?? '';
	return `"${name}" already exists as dispatch ${id}${time === undefined ? '' : `, created on ${time}`}${state}`;
};

/** A second press of Execute ends here. */
export const nameExistsError = (
	context: IExecuteFunctions,
	dispatch: ListedDispatch,
	itemIndex: number | undefined,
): NodeOperationError => {
	const advice = sentStatuses.has(dispatch.status)
		? "To send it again, change 'Dispatch Name', or set 'If the Name Exists' to 'Create Another Dispatch'."
		: "To complete and send that one, set 'If the Name Exists' to 'Continue Existing Dispatch'. To send a new one, change 'Dispatch Name'.";
	return new NodeOperationError(context.getNode(), describeNamed(context, dispatch), {
		description: `Nothing was sent. ${advice}`,
		itemIndex,
	});
};
