import { z } from '../../vendor/zod';
import { looseObject } from './values';

/** The error body of both APIs. */
export const ErrorBody = looseObject({
	error: looseObject({ code: z.number().int(), msg: z.string() }),
});

interface ApiErrorRow {
	api: 'partner' | 'messaging';
	status: 400 | 401 | 403 | 404;
	msg: string;
	cause: string;
}

export const apiErrors = {
	4000: { api: 'partner', status: 400, msg: 'Bad Request', cause: 'invalid data' },
	4040: { api: 'partner', status: 404, msg: 'Not Found', cause: 'resource not found' },
	4010: {
		api: 'messaging',
		status: 401,
		msg: 'Not Authenticated',
		cause: 'key wrong, deactivated or reissued',
	},
	4012: { api: 'messaging', status: 401, msg: 'Bad credentials', cause: 'credentials rejected' },
	4013: {
		api: 'messaging',
		status: 401,
		msg: 'IP not allowed',
		cause: 'request from an IP address outside the allowed list',
	},
	4030: {
		api: 'messaging',
		status: 403,
		msg: 'Access Denied',
		cause: 'key of an unsuitable type for the section',
	},
} as const satisfies Record<number, ApiErrorRow>;

interface WidgetErrorRow {
	class: 'user' | 'settings' | 'integration';
	cause: string;
}

/** Errors of the phone-verification widget. */
export const widgetErrors: Readonly<Record<number, WidgetErrorRow>> = {
	110: { class: 'user', cause: 'the captcha was not solved' },
	130: { class: 'user', cause: "too many requests for this number or from the user's IP" },
	210: { class: 'settings', cause: 'insufficient balance' },
	230: {
		class: 'settings',
		cause:
			'the sender name set in the widget for the channel is inactive, for example after it was closed',
	},
	310: { class: 'integration', cause: 'the widget was initialized with a wrong widget ID' },
	320: { class: 'integration', cause: '`key` is missing in POST /api/v1/verifier/widget/send' },
	321: {
		class: 'integration',
		cause:
			"the service doesn't receive a send request; for a website builder, the widget must be created for the builder site",
	},
	330: { class: 'integration', cause: 'invalid API key in the send request' },
	331: { class: 'integration', cause: 'the API key has the wrong type (insufficient rights)' },
	340: {
		class: 'integration',
		cause:
			"captcha verification failed: the secret key doesn't match the site key, the captcha type is wrong, the captcha provider restricts the domain, or its free monthly quota of 10000 requests is exceeded",
	},
	341: {
		class: 'integration',
		cause:
			"the browser can't load the captcha provider's script: the site key is invalid, the captcha type in the settings is wrong, or the provider's URLs are blocked",
	},
	350: {
		class: 'integration',
		cause:
			"the function that passes the message ID to the client's server fails, for example because of an invalid URL",
	},
};

const telegram = 'Telegram sending error';
const general = 'General sending error';

/** `error_code` of status callbacks. The service publishes only these groups, not the meaning of single codes. */
export const messageErrors: Readonly<Record<number, string>> = {
	125: telegram,
	149: telegram,
	150: telegram,
	151: telegram,
	152: telegram,
	453: general,
	454: general,
	455: general,
	456: general,
};
