import type { NewDispatch } from '../../core/contract/dispatch';
import { badRequest, notFound } from '../api/apiError.cts';
import { activeCompany } from './dispatches.cts';
import type { Dispatch } from '../stored/entities.cts';
import { offsetOf } from './schedule.cts';
import { accountLedger } from '../stored/store.cts';
import type { World } from '../stored/world.cts';

/** "one sender per operator" */
const checkSenders = ({ store }: World, companyId: number, ids: readonly number[]): void => {
	const brands = new Set<string>();
	for (const id of ids) {
		const sender = store.senders.get(id);
		if (sender?.companyId !== companyId) {
			throw notFound(`sender ${id} does not exist for company ${companyId}`);
		}
		if (brands.has(sender.brand)) {
			throw badRequest(`senderIds: there is more than one sender for ${sender.brand}`);
		}
		brands.add(sender.brand);
	}
};

/** A dispatch in CREATED, without its messages. */
export const createDispatch = (world: World, input: Omit<NewDispatch, 'messages'>): Dispatch => {
	activeCompany(world, input.companyId);
	checkSenders(world, input.companyId, input.senderIds);
	return addDispatch(world, input);
};

/** A dispatch of the account itself, as a person creates it on the provider's website. */
export const createOnWebsite = (
	world: World,
	{ name, senderName, text }: Record<'name' | 'senderName' | 'text', string>,
): Dispatch => {
	const senders = [...world.store.senders.values()].filter(
		(sender) => sender.senderName === senderName && sender.channelType === 'SMS',
	);
	if (senders.length === 0) throw notFound(`sender name ${senderName} does not exist for SMS`);
	const senderIds = senders.map(({ id }) => id);
	return addDispatch(world, {
		companyId: accountLedger,
		name,
		senderIds,
		channelType: 'SMS',
		text,
	});
};

const addDispatch = (world: World, input: Omit<NewDispatch, 'messages'>): Dispatch => {
	const { store, timeline } = world;
	const { companyId, name, channelType, text, senderIds, schedule, callbackUrl } = input;
	const dispatch: Dispatch = {
		id: ++store.lastIds.dispatch,
		companyId,
		name,
		status: 'CREATED',
		channelType,
		text,
		senderIds,
		window:
			schedule === undefined
				? null
				: {
						notBefore: Date.parse(schedule.startAt),
						hours: schedule.hours,
						days: schedule.days,
						offset: offsetOf(schedule.startAt),
					},
		callbackUrl,
		callbackEvents: input.callbackEvents ?? ['delivered'],
		messages: [],
		messageCount: { total: 0, delivered: 0, failed: 0 },
		partCount: { total: 0, delivered: 0, failed: 0 },
		priceEstimate: 0,
		createdAt: timeline.now,
		startedAt: null,
		run: 0,
		cursor: 0,
		version: 0,
	};
	store.dispatches.set(dispatch.id, dispatch);
	return dispatch;
};
