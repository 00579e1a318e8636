import { z } from '../../vendor/zod';
import { found } from '../api/apiError.cts';
import { demo } from '../demo.cts';
import { createOnWebsite } from '../time/dispatchCreate.cts';
import { startDispatch, stopDispatch } from '../time/dispatches.cts';
import { dispatchView } from '../stored/views.cts';
import type { Control, Controls } from './control.cts';

export const dispatchControls = (control: Control, { world }: Controls): void => {
	const dispatchOf = (id: string) => found(world.store.dispatches.get(Number(id)), 'dispatch', id);
	control({
		method: 'POST',
		path: '/website-dispatches',
		does: 'Creates a dispatch of the messaging API, as a person does on the website: {"name", "text", "senderName"}.',
		input: z
			.object({
				name: z.string().min(1),
				text: z.string().min(1),
				senderName: z.string().default(demo.senderNames.sms),
			})
			.strict(),
		handle: (dispatch) => ({ dispatchId: createOnWebsite(world, dispatch).id }),
	});
	for (const [name, move] of [
		['start', startDispatch],
		['stop', stopDispatch],
	] as const) {
		control({
			method: 'POST',
			path: `/dispatches/{id}/${name}`,
			does: `${name === 'start' ? 'Starts' : 'Stops'} a dispatch, like the same call of the partner API but without a token.`,
			input: z.object({}).strict(),
			handle: (_, { id }) => {
				const dispatch = dispatchOf(id);
				move(world, dispatch);
				return dispatchView(dispatch);
			},
		});
	}
};
