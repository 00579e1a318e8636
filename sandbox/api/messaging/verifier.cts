import { widgetErrors } from '../../../core/contract/errors';
import { ApiError, found } from '../apiError.cts';
import { demo } from '../../demo.cts';
import type { Route } from '../route.cts';
import { acceptSingle } from '../../time/singles.cts';
import type { World } from '../../stored/world.cts';
import { calls } from './calls.cts';

const widgetError = (code: number, status: ApiError['status'] = 400) =>
	new ApiError(status, code, widgetErrors[code].cause);

/**
 * The widget's own error codes for a rejected send request: without `key`, with an invalid API key, with a key of the wrong
 * type. Requests to this service can cause 210, 230, 320, 330 and 331. The other codes come from the web page or the captcha
 * provider: a fault with their `code` simulates them.
 */
const widgetCodes = new Map([
	[4000, 320],
	[4010, 330],
	[4012, 330],
	[4030, 331],
]);
const toWidgetError = (error: ApiError): ApiError => {
	const code = widgetCodes.get(error.code);
	return code === undefined ? error : widgetError(code, error.status);
};

/** After too many checks, a code expires. How many isn't published. */
const mostChecks = 5;

const textOf = (value: unknown, otherwise: string) =>
	typeof value === 'string' && value !== '' ? value : otherwise;

export const verifierRoutes = (route: Route, world: World): void => {
	/** `key` is the widget's name for this verification. */
	route(
		calls.verificationSend,
		({ body }) => {
			const destination = textOf(body.destination, demo.numbers.mts);
			const result = acceptSingle(
				world,
				{
					channelType: 'SMS',
					senderName: textOf(body.senderName, demo.senderNames.general),
					destination,
					content: 'Your code is 1234',
					trafficType: 'AUTHORIZE',
				},
				{ sendingMethod: 'VERIFIER_WIDGET' },
			);
			// "insufficient balance", or "the sender name set in the widget for the channel is inactive".
			if ('problem' in result) throw widgetError(result.code === 402 ? 210 : 230);
			world.store.verifications.set(body.key, { messageUuid: result.uuid, status: 'PENDING' });
			return { messageUuid: result.uuid };
		},
		toWidgetError,
	);

	route(calls.codeSend, ({ body }) => {
		const { timeline, store } = world;
		const code = String(1_000 + store.codes.size);
		const result = acceptSingle(
			world,
			{
				channelType: 'SMS',
				senderName: demo.senderNames.general,
				destination: body.destination,
				content: `Your code is ${code}`,
				trafficType: 'AUTHORIZE',
			},
			{ sendingMethod: 'VERIFIER_API' },
		);
		if ('problem' in result) throw new ApiError(400, 4000, result.problem);
		store.codes.set(result.uuid, { code, sentAt: timeline.now, checks: 0 });
		return { uuid: result.uuid };
	});

	route(calls.flashCallResult, ({ body: { messageUuid, result } }) => {
		const { byUuid, flashCallResults } = world.store;
		found(byUuid.get(messageUuid), 'message', messageUuid);
		flashCallResults.set(messageUuid, result);
		return '' as const;
	});

	route(calls.codeCheck, ({ body: { uuid, code } }) => {
		const { codes, settings } = world.store;
		const sent = codes.get(uuid);
		if (sent === undefined) return { status: 'NOT_FOUND' as const };
		const age = world.timeline.now - sent.sentAt;
		const isOver = age > settings.codeLifetimeMs || ++sent.checks > mostChecks;
		if (isOver) return { status: 'EXPIRED' as const };
		return { status: sent.code === code ? ('CONFIRMED' as const) : ('WRONG_CODE' as const) };
	});

	route(calls.verificationCheck, ({ body: { key } }) => {
		const { status } = found(world.store.verifications.get(key), 'verification', key);
		return { status };
	});
};
