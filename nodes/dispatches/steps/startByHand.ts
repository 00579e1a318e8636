import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { nameCodeIn } from '../../../core/contract/dispatchName';
import { addHint } from '../../../core/engine/hints';
import { askForAMinute, ServiceError } from '../../../core/transport/outcome';
import type { DispatchApi, Move, Moved, ShownDispatch } from '../ask/partner';
import { priceCurrency } from '../params/limits';
import type { DispatchId } from '../plan/rows';
import { accountCurrency, priceObjection } from './limits';
import { failureAfter, withReason } from './refusal';
import { moveDispatch } from './start';

const did = { start: 'started', stop: 'stopped' } as const;

/** Starts or stops a dispatch for the operation of that name, or throws what is known. */
export const moveOrFail = async (
	context: IExecuteFunctions,
	api: DispatchApi,
	id: DispatchId,
	move: Move,
): Promise<Moved> => {
	const moved = await moveDispatch(context, api, id, move);
	if (moved.is === 'done') return moved.value;
	if (moved.is === 'unknown') {
		throw new NodeOperationError(
			context.getNode(),
			`It is not known whether dispatch ${id} was ${did[move]}`,
			{
				description: `Run it again${move === 'start' ? ': a dispatch that is started twice is sent once' : ''}. ${moved.error.message}.`,
			},
		);
	}
	throw await withReason(context, moved.error, { dispatchId: id, call: move, api });
};

/** Why a dispatch must not be started by hand: a title and the next press. `undefined` if it may. */
export const handObjection = (
	id: DispatchId,
	{ name = '', total = 0 }: Pick<ShownDispatch, 'name' | 'total'>,
): [title: string, advice: string] | undefined => {
	const code = nameCodeIn(name);
	if (code === undefined) return undefined;
	if (code.purpose !== 'keep')
		return [
			`Dispatch ${id} was left by 'Send', which starts its dispatches itself`,
			"Run 'Send' again: it sends to everybody who doesn't have it yet.",
		];
	return total < code.planned
		? [
				`Dispatch ${id} contains ${total.toLocaleString('en')} of the ${code.planned.toLocaleString('en')} people that it was made for`,
				"Run 'Create' again, and start the dispatch that it returns.",
			]
		: undefined;
};

const notStarted = (context: IExecuteFunctions, title: string, advice: string) =>
	new NodeOperationError(context.getNode(), title, {
		description: `This run didn't start it. ${advice}`,
	});

/** Starts a dispatch that a person has created for that, in either API. One that was started before is only reported. */
export const startByHand = async (
	context: IExecuteFunctions,
	api: DispatchApi,
	id: DispatchId,
	/** The messaging API shows no price. */
	priceLimit?: number,
): Promise<Moved> => {
	const state = await api.get({ context }, id).catch((error: unknown) => {
		// The messaging API's list may be unreadable, and an ID that isn't a number may be missing from it.
		const isMissing = error instanceof ServiceError && error.problem.status === 404;
		if (priceLimit === undefined && !(isMissing && typeof id === 'number')) return undefined;
		throw failureAfter(context, error, "This run didn't start it.");
	});
	if (state !== undefined && api.isMoved(state, 'start')) {
		addHint(context, `Dispatch ${id} was started before, so it wasn't started again.`);
		return { status: state.status ?? '' };
	}
	const reason = state && api.whyNot(state, 'start');
	if (reason !== undefined)
		throw notStarted(
			context,
			`Dispatch ${id} ${reason}`,
			'Send to its recipients with another dispatch.',
		);
	const objection = state && handObjection(id, state);
	if (objection !== undefined) throw notStarted(context, ...objection);
	if (priceLimit !== undefined) {
		// The price may be calculated later.
		const priced = await askForAMinute(
			async () => await api.get({ context }, id),
			(shown) =>
				({ is: shown.estimate || shown.total === 0 ? 'priced' : 'absent', shown }) as const,
			context.getExecutionCancelSignal(),
		);
		if (priced.is === 'unsure')
			throw failureAfter(context, priced.error, "This run didn't start it.");
		const { estimate, givenEstimate } = priced.shown;
		const currency = await accountCurrency(context);
		const limits = { priceLimit, priceCurrency: priceCurrency.default };
		const tooMuch = priceObjection(limits, { currency, spent: 0, estimate, givenEstimate });
		if (tooMuch !== undefined)
			throw notStarted(context, tooMuch, "Change 'Price Limit' and run it again.");
	}
	const moved = await moveOrFail(context, api, id, 'start');
	return moved;
};
