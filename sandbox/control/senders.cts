import { z } from '../../vendor/zod';
import { SenderStatus } from '../../core/contract/values';
import { badRequest, found } from '../api/apiError.cts';
import type { Sender } from '../stored/entities.cts';
import { mostRubles, toUnits } from '../stored/money.cts';
import { takeReviewStep } from '../time/review.cts';
import { senderView } from '../stored/views.cts';
import type { Control, Controls } from './control.cts';

export const senderControls = (control: Control, { world }: Controls): void => {
	const senderOf = (id: string) => found(world.store.senders.get(Number(id)), 'sender', id);
	const setStatus = (sender: Sender, status: Sender['status'], comment?: string) => {
		sender.status = status;
		if (comment !== undefined) sender.managerComment = comment;
		sender.rejectedAt = status === 'REJECTED' ? world.timeline.now : null;
		return senderView(world.store, sender);
	};

	control({
		method: 'POST',
		path: '/senders/{id}/approve',
		does: 'Approves a sender name. {"fee": rubles} makes it a paid (PRO) name.',
		input: z.object({ fee: z.number().nonnegative().max(mostRubles).optional() }).strict(),
		handle: ({ fee }, { id }) => {
			const sender = senderOf(id);
			if (fee !== undefined) sender.fee = toUnits(fee);
			sender.managerComment = null;
			return setStatus(sender, 'APPROVED');
		},
	});

	control({
		method: 'POST',
		path: '/senders/{id}/reject',
		does: 'Rejects a sender name, with {"comment": "..."} as managerComment.',
		input: z.object({ comment: z.string().optional() }).strict(),
		handle: ({ comment }, { id }) => setStatus(senderOf(id), 'REJECTED', comment),
	});

	control({
		method: 'POST',
		path: '/senders/{id}/review',
		does: 'Moves a sender name one step on: DRAFT, PRE_REVIEW, INTERNAL_REVIEW, EXTERNAL_REVIEW, AWAITING, APPROVED.',
		input: z.object({}).strict(),
		handle: (_, { id }) => {
			const sender = senderOf(id);
			if (takeReviewStep(sender)) return setStatus(sender, sender.status);
			throw badRequest(`sender ${id} is ${sender.status}: there is no next step`);
		},
	});

	control({
		method: 'PUT',
		path: '/senders/{id}/suspended',
		does: 'Suspends or unsuspends a sender name: {"suspended": true}.',
		input: z.object({ suspended: z.boolean() }).strict(),
		handle: ({ suspended }, { id }) => {
			const sender = senderOf(id);
			sender.suspended = suspended;
			return senderView(world.store, sender);
		},
	});

	control({
		method: 'PUT',
		path: '/senders/{id}/status',
		does: 'Sets any status: {"status": "DENIED", "comment": "..."}.',
		input: z.object({ status: SenderStatus, comment: z.string().optional() }).strict(),
		handle: ({ status, comment }, { id }) => setStatus(senderOf(id), status, comment),
	});
};
