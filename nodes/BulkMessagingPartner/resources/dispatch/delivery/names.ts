import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { perRun } from '../../../../../core/engine/perRun';
import { UnsettledError } from '../../../../../core/transport/lookThenSend';
import { comparableName, listDispatches, type ListedDispatch } from './calls';

/** A company's dispatches with one name: the newest one, and the newest one that was ever started. */
interface Named {
	newest: ListedDispatch;
	sent?: ListedDispatch;
}

type NamedOnes = ReadonlyMap<string, Named>;

/**
 * Each company's dispatches before this run created any. Read once per run, so that a dispatch the run creates doesn't stop its
 * other dispatches or its own retries (Retry On Fail).
 */
const earlierOf = perRun(() => new Map<number, Promise<NamedOnes>>());

/** The dispatch was started at some time, so people may have got messages. */
const onceStarted: ReadonlySet<string | undefined> = new Set(['STARTED', 'COMPLETED', 'STOPPED']);

const wasStarted = ({ status, startedAt }: ListedDispatch) =>
	onceStarted.has(status) || startedAt !== undefined;

const isNewer = (one: ListedDispatch, other: ListedDispatch | undefined) =>
	other === undefined || one.id > other.id;

const readNamed = async (context: IExecuteFunctions, companyId: number): Promise<NamedOnes> => {
	const named = new Map<string, Named>();
	for (const dispatch of await listDispatches(context, { companyId })) {
		const name = comparableName(dispatch.name);
		const { newest, sent } = named.get(name) ?? {};
		named.set(name, {
			newest: newest === undefined || isNewer(dispatch, newest) ? dispatch : newest,
			sent: wasStarted(dispatch) && isNewer(dispatch, sent) ? dispatch : sent,
		});
	}
	return named;
};

/** The company's dispatches with this name before the run. */
export const findNamed = async (
	context: IExecuteFunctions,
	{ companyId, name }: { companyId: number; name: string },
): Promise<Named | undefined> => {
	const known = earlierOf(context);
	const reading = known.get(companyId) ?? readNamed(context, companyId);
	known.set(companyId, reading);
	const named = await reading.catch((error: unknown) => {
		// The next attempt reads the list again.
		known.delete(companyId);
		throw error instanceof UnsettledError
			? new NodeOperationError(context.getNode(), error.message, {
					description:
						"Nothing was created or sent. The node first checks whether the name exists, so that you don't send twice. To skip this check, set 'If the Name Exists' to 'Create Another Dispatch'.",
				})
			: error;
	});
	return named.get(comparableName(name));
};

/** `15 Nov, 14:02` in the workflow's time zone, with the year if it isn't the current one. */
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

/** In one sentence, without a full stop. */
export const describeNamed = (context: IExecuteFunctions, { newest, sent }: Named): string => {
	const { id, name, status, createdAt, startedAt } = sent ?? newest;
	const zone = context.getTimezone();
	if (sent !== undefined) {
		const time = shownTime(zone, startedAt ?? createdAt);
		const stopped = status === 'STOPPED' ? ', and stopped later' : '';
		return `"${name}" was already sent as dispatch ${id}${time === undefined ? '' : ` on ${time}`}${stopped}`;
	}
	const time = shownTime(zone, createdAt);
	const state = status === 'CREATED' ? ', not started' : '';
	return `"${name}" already exists as dispatch ${id}${time === undefined ? '' : `, created on ${time}`}${state}`;
};

/** The error if the name exists: it stops a second run from sending again. */
export const nameExistsError = (
	context: IExecuteFunctions,
	named: Named,
	itemIndex: number | undefined,
): NodeOperationError => {
	const advice =
		named.sent === undefined
			? "To complete and send that dispatch, set 'If the Name Exists' to 'Continue Existing Dispatch'. To send a new one, change 'Dispatch Name'."
			: "To send it again, change 'Dispatch Name', or set 'If the Name Exists' to 'Create Another Dispatch'.";
	const isLooping = Number(context.evaluateExpression('{{ $runIndex }}', 0)) > 0;
	const inLoop = isLooping
		? ' In a loop, each round needs a different name, for example with {{ $runIndex }} in it.'
		: '';
	return new NodeOperationError(context.getNode(), describeNamed(context, named), {
		description: `Nothing was sent. ${advice}${inLoop}`,
		itemIndex,
	});
};
