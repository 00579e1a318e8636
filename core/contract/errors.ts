import { z } from '../../vendor/zod';
import type { SourceName } from './provenance';
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
	/** Missing if the interface states it. */
	source?: SourceName;
}

/** A public reference shows 4040 on the messaging API too, for a dispatch that doesn't exist. */
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
	4031: {
		api: 'messaging',
		status: 403,
		msg: 'Wrong Dispatch Status',
		cause: 'the dispatch was not started, or is finished',
		source: 'page',
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

interface MessageErrorRow {
	/** What happened, and what to do next. */
	text: string;
	/** Where the meaning comes from. Missing if the interface states it. */
	source?: SourceName;
}

const telegram: MessageErrorRow = {
	text: "Telegram couldn't send the message. Try another channel, or ask your provider what the code means.",
};
const published = (text: string): MessageErrorRow => ({ text, source: 'page' });
const unavailable = published(
	"The phone can't receive SMS now: it is off, out of range, or has no SMS service. Try again later, or use another channel.",
);

/**
 * `error_code` of a message. The interface states the codes 125, 149 to 152 and 453 to 456 with the groups "Telegram" and
 * "general"; the other codes and the meaning of each come from a public page of a sister product.
 */
export const messageErrors: Readonly<Record<number, MessageErrorRow>> = {
	11: published("The phone number is wrong or doesn't exist. Correct it."),
	125: telegram,
	127: published(
		"The operator didn't report a result in time. The message may have arrived, so check before you send it again.",
	),
	149: telegram,
	150: telegram,
	151: telegram,
	152: telegram,
	453: published("The recipient's number is on a block list. Remove it from your list."),
	454: published(
		'The sender name is on a block list. Use another one, or ask your provider why it is blocked.',
	),
	455: published(
		'Messages to this country or operator are restricted. Ask your provider to allow them.',
	),
	456: published("The recipient's number doesn't exist. Correct it."),
	457: published("The sender name isn't registered. Register it, or use another one."),
	458: published("The provider's platform blocks this traffic. Ask your provider why."),
	501: published("The operator doesn't know this recipient. Correct the number."),
	502: published('The operator failed or found no route to the recipient. Try again later.'),
	503: published("The recipient's region isn't supported. Use another channel."),
	504: unavailable,
	505: published(
		'The recipient or the operator blocks incoming messages, for example because of debt. Use another channel.',
	),
	506: published("The recipient's number is blocked, or has no SMS service. Use another channel."),
	508: unavailable,
	509: published(
		'The recipient is roaming, where messages are restricted. Try again later, or use another channel.',
	),
	510: published('The recipient blocks messages from applications. Use another channel.'),
};

/** What a message's error code means and what to do; `undefined` for a code that isn't known. */
export const messageErrorText = (code: unknown): string | undefined =>
	typeof code === 'number' && Object.hasOwn(messageErrors, code)
		? messageErrors[code]?.text
		: undefined;
