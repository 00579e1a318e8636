import { found } from '../apiError';
import { tellClick } from '../callbacks';
import { demo } from '../demo';
import { errorResponse, type App } from '../route';
import { accessControls } from './access';
import { accountControls } from './account';
import { callbackControls, faultControls } from './callbacks';
import { controlOn, type Controls } from './control';
import { generalControls } from './general';
import { messageControls } from './messages';
import { senderControls } from './senders';

/** Everything beside the two APIs: the control routes, the list of them, and short links. */
export const controlRoutes = (app: App, controls: Controls): void => {
	const { control, list } = controlOn(app, controls.world);
	generalControls(control, controls);
	messageControls(control, controls);
	senderControls(control, controls);
	accessControls(control, controls);
	accountControls(control, controls);
	callbackControls(control, controls);
	faultControls(control, controls);
	app.get(demo.controlPath, () => Response.json({ routes: list() }));

	app.get(`${demo.shortLinkPath}/:code`, (context) => {
		const code = context.req.param('code');
		try {
			const link = found(controls.world.store.byLink.get(code), 'link', code);
			tellClick(controls.world, link.message, link.url, link.shortUrl);
			return new Response(null, { status: 302, headers: { location: link.url } });
		} catch (error) {
			return errorResponse(error);
		}
	});
};
