import { demo } from '../demo.cts';
import { followLink } from '../time/links.cts';
import { errorResponse, type App } from '../api/route.cts';
import { accessControls } from './access.cts';
import { accountControls } from './account.cts';
import { callbackActions, callbackControls, faultControls } from './callbacks.cts';
import { controlOn, type Controls } from './control.cts';
import { dispatchControls } from './dispatches.cts';
import { generalControls } from './general.cts';
import { messageControls } from './messages.cts';
import { senderControls } from './senders.cts';

/** The control routes, the list of them, and short links. */
export const controlRoutes = (app: App, controls: Controls): void => {
	const { control, list } = controlOn(app);
	generalControls(control, controls);
	messageControls(control, controls);
	senderControls(control, controls);
	accessControls(control, controls);
	accountControls(control, controls);
	callbackControls(control, controls);
	callbackActions(control, controls);
	dispatchControls(control, controls);
	faultControls(control, controls);
	app.get(demo.controlPath, () => Response.json({ routes: list() }));

	app.get(`${demo.shortLinkPath}/:code`, (context) => {
		const code = context.req.param('code');
		try {
			const link = followLink(controls.world, code);
			// Headers can't contain non-Latin letters: `new URL` escapes them.
			return new Response(null, { status: 302, headers: { location: new URL(link.url).href } });
		} catch (error) {
			return errorResponse(error);
		}
	});
};
