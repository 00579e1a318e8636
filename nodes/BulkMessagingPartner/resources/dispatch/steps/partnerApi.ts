import { WrittenBody } from '../../../../../core/contract/endpoint';
import { partner } from '../../../../../core/contract/partner';
import { settled, unclear } from '../../../../../core/transport/outcome';
import { send } from '../../../../../core/transport/send';
import { whyNotAppended, whyNotStarted, whyNotStopped } from './refusal';
import { appendMessages, type DispatchApi, getDispatch, messagesIn, readDispatch } from './service';

const moves = {
	start: { endpoint: partner.dispatchStart, from: 'CREATED', to: ['STARTED', 'COMPLETED'] },
	stop: { endpoint: partner.dispatchStop, from: 'STARTED', to: ['STOPPED'] },
} as const;

/** The partner API's dispatches. */
export const partnerApi: DispatchApi = {
	api: 'partner',
	append: async (calls, id, messages) =>
		await appendMessages(calls, id, new WrittenBody({ messages: [...messages] })),
	get: getDispatch,
	messagesIn,
	move: async ({ context, onReply }, id, move) => {
		const { endpoint, to } = moves[move];
		const sent = await settled<unknown>(send(context, endpoint, { path: { id } }));
		if (sent.is !== 'done') return sent;
		onReply(sent.value);
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
	whyNot: { start: whyNotStarted, stop: whyNotStopped, append: whyNotAppended },
};
