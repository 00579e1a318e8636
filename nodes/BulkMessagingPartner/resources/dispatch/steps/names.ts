import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { comparableName } from '../../../../../core/comparableName';
import { claim, claimsOn, type Claim } from '../../../../../core/engine/claims';
import { connect } from '../../../../../core/transport/connection';
import { wasStarted, type DispatchState } from './replies';
import { haveName } from './service';

/** What became of a name that a run of this process claimed. */
export interface NameResult {
	/** Every dispatch with this name that the run has created. */
	ids: readonly number[];
	/** Those that nobody will start, so that 'Begin Anew' may pass them at once. */
	left: readonly number[];
	/** The one that was started, or may have been. */
	started?: { id: number; isCertain: boolean };
}

type Named = Pick<DispatchState, 'name'> & { companyId: number };

export const nameKey = async (
	context: IExecuteFunctions,
	{ companyId, name }: { companyId: number; name: string },
): Promise<string> => {
	const { identity } = await connect(context, 'partner');
	return `dispatch ${identity} ${companyId} ${comparableName(name)}`;
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
const describeNamed = (
	context: IExecuteFunctions,
	{ id, name, status, createdAt, startedAt }: DispatchState,
	isStarted: boolean,
): string => {
	const zone = context.getTimezone();
	if (isStarted && status !== undefined) {
		const time = shownTime(zone, startedAt ?? createdAt);
		const stopped = status === 'STOPPED' ? ', and stopped later' : '';
		return `"${name}" was already sent as dispatch ${id}${time === undefined ? '' : ` on ${time}`}${stopped}`;
	}
	const time = shownTime(zone, createdAt);
	const state = status === 'CREATED' ? ', not started' : '';
	return `"${name}" already exists as dispatch ${id}${time === undefined ? '' : `, created on ${time}`}${state}`;
};

const loopAdvice = (context: IExecuteFunctions): string =>
	Number(context.evaluateExpression('{{ $runIndex }}', 0)) > 0
		? ' In a loop, each round needs a different name, for example with {{ $runIndex }} in it.'
		: '';

const sendAgain =
	"To send it again, change 'Dispatch Name', or set 'If the Name Exists' to 'Create Another Dispatch'.";
const beginAnew =
	"To leave that dispatch and send a new one, set 'If the Name Exists' to 'Begin Anew if Never Started', or change 'Dispatch Name'. To send that dispatch as it is, use 'Start'.";

const newest = (some: readonly DispatchState[]): DispatchState | undefined =>
	some.reduce<DispatchState | undefined>(
		(found, one) => (found === undefined || one.id > found.id ? one : found),
		undefined,
	);

/** Why the name can't be used, by the company's list: a title and what to do. `undefined` if it can. */
const listObjection = (
	context: IExecuteFunctions,
	nameExists: 'stop' | 'anew',
	named: readonly DispatchState[],
): [title: string, advice: string] | undefined => {
	const sent = newest(named.filter(wasStarted));
	const found = sent ?? (nameExists === 'stop' ? newest(named) : undefined);
	return found === undefined
		? undefined
		: [
				describeNamed(context, found, sent !== undefined),
				sent === undefined ? beginAnew : sendAgain,
			];
};

/** The same by what this process knows: the list may not show yet what another run has done. */
const claimObjection = (
	name: string,
	nameExists: 'stop' | 'anew',
	others: ReadonlyArray<Claim<NameResult>>,
): [title: string, advice: string] | undefined => {
	for (const { result } of others) {
		if (result === undefined) {
			return [
				`"${name}" is being sent by another run of this n8n`,
				"Wait until that run has ended. To send it as well, change 'Dispatch Name'.",
			];
		}
		const { started } = result;
		if (started?.isCertain)
			return [`"${name}" was already sent as dispatch ${started.id}`, sendAgain];
		if (started !== undefined) {
			return [
				`"${name}" may already have been sent as dispatch ${started.id}`,
				`Check dispatch ${started.id} in your account on the provider's website. If it isn't started, use 'Start' with it.`,
			];
		}
		if (nameExists === 'stop' && result.ids.length > 0) {
			return [
				`"${name}" already exists as dispatch ${result.ids.join(', ')}, not started`,
				beginAnew,
			];
		}
	}
	return undefined;
};

/** Of all names, so that a response with the ID of another dispatch is never taken for a new one. */
export const dispatchIds = (listed: readonly DispatchState[]): Set<number> =>
	new Set(listed.map(({ id }) => id));

/** The dispatches that exist before this run creates one. Stops if the name can't be used; nothing is created yet. */
export const checkName = async (
	context: IExecuteFunctions,
	{ companyId, name }: Named & { name: string },
	{
		nameExists,
		own,
		owner,
	}: { nameExists: 'stop' | 'anew' | 'another'; own: ReadonlySet<number>; owner: object },
	listed: () => Promise<readonly DispatchState[]>,
): Promise<{ known: Set<number>; claimed: Claim<NameResult> }> => {
	const key = await nameKey(context, { companyId, name });
	const all = await listed();
	const named = haveName(all, name).filter(({ id }) => !own.has(id));
	// From here to `claim` nothing is awaited, so that no other run of this process can claim the name in between.
	if (nameExists !== 'another') {
		const others = claimsOn<NameResult>(key).filter((one) => one.owner !== owner);
		const objection =
			listObjection(context, nameExists, named) ?? claimObjection(name, nameExists, others);
		if (objection !== undefined) {
			const [title, advice] = objection;
			throw new NodeOperationError(context.getNode(), title, {
				description: `Nothing was sent. ${advice}${loopAdvice(context)}`,
			});
		}
	}
	return { known: dispatchIds(all), claimed: claim(key, owner) };
};
