import { z } from '../../vendor/zod';

/** The error body of both APIs. */
export const ErrorBody = z
	.object({ error: z.object({ code: z.number().int(), msg: z.string() }).passthrough() })
	.passthrough();

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
		cause: 'request from an address outside the allowed list',
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
	110: { class: 'user', cause: 'captcha not passed' },
	130: { class: 'user', cause: "too many requests for this number or from the user's IP" },
	210: { class: 'settings', cause: 'insufficient balance' },
	230: {
		class: 'settings',
		cause:
			'the sender name set in the widget for the channel is inactive, for example after it was closed',
	},
	310: { class: 'integration', cause: 'wrong widget id at widget initialization' },
	320: { class: 'integration', cause: '`key` not passed in POST /api/v1/verifier/widget/send' },
	321: {
		class: 'integration',
		cause:
			'the service receives no send request; for a website-builder embed, the widget must be created for the builder site',
	},
	330: { class: 'integration', cause: 'invalid API key in the send request' },
	331: { class: 'integration', cause: 'API key of the wrong type (insufficient rights)' },
	340: {
		class: 'integration',
		cause:
			"captcha verification problems: secret key not matching the site key, wrong captcha type, domain restriction at the captcha provider, or provider's monthly free quota of 10000 requests exceeded",
	},
	341: {
		class: 'integration',
		cause:
			'the browser cannot load the captcha provider script: invalid site key, wrong captcha type in settings, or provider addresses blocked',
	},
	350: {
		class: 'integration',
		cause:
			"the client's function that passes the message id to the client's server fails, for example because of an invalid URL",
	},
};

const telegram = 'Telegram sending error';
const general = 'General sending error';

/** `error_code` of status callbacks. The service names these groups and does not publish single meanings. */
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
