import { WrittenBody } from '../../../../../core/contract/endpoint';
import { partner } from '../../../../../core/contract/partner';
import { settled, unclear } from '../../../../../core/transport/outcome';
import { send } from '../../../../../core/transport/send';
import { appendMessages, type DispatchApi, getDispatch, messagesIn, readDispatch } from './service';

const moves = {
	start: { endpoint: partner.dispatchStart, from: 'CREATED', to: ['STARTED', 'COMPLETED'] },
	stop: { endpoint: partner.dispatchStop, from: 'STARTED', to: ['STOPPED'] },
} as const;

/** By dispatch status. Statuses that aren't a reason are left out. */
const whyNot = {
	start: {
		STARTED: 'was already sent',
		COMPLETED: 'was already sent',
		STOPPED: 'was stopped',
	},
	stop: {
		CREATED: "isn't started, so there is nothing to stop",
		STOPPED: 'was already stopped',
		COMPLETED: 'is already completed, so there is nothing to stop',
	},
	append: {
		STARTED: "was already started, so recipients can't be added",
		COMPLETED: "was already sent, so recipients can't be added",
		STOPPED: "was started and stopped, so recipients can't be added",
	},
} as const;

/** The partner API's dispatches. */
export const partnerApi: DispatchApi = {
	api: 'partner',
	append: async (calls, id, messages) =>
		await appendMessages(calls, id, new WrittenBody({ messages: [...messages] })),
	get: getDispatch,
	messagesIn,
	move: async (context, id, move) => {
		const { endpoint, to } = moves[move];
		const sent = await settled<unknown>(send(context, endpoint, { path: { id } }));
		if (sent.is !== 'done') return sent;
		const { status = '' } = readDispatch(sent.value) ?? {};
		return to.some((one) => one === status)
			? { is: 'done', value: { id, status } }
			: unclear(endpoint);
	},
	isMoved: ({ status }, move) => {
		const { from, to } = moves[move];
		if (to.some((one) => one === status)) return true;
		return status === from ? false : undefined;
	},
	whyNot: ({ status = '' }, call) => {
		const reasons: Readonly<Record<string, string>> = whyNot[call];
		return Object.hasOwn(reasons, status) ? reasons[status] : undefined;
	},
	whyRejected:
		'The service rejected this recipient without a reason. Usually no sender name matches the operator, or the number is blacklisted.',
};
