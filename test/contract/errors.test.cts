import {
	ErrorBody,
	apiErrors,
	messageErrors,
	messageErrorText,
	widgetErrors,
} from '../../core/contract/errors';
import { holds, int, objectWith, required, string } from './support.cts';

describe('error body of both APIs', () => {
	holds(
		ErrorBody,
		objectWith({ error: required(objectWith({ code: required(int), msg: required(string) })) }),
		'reply',
	);
});

describe('error tables', () => {
	const tables = {
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
		// Only a public reference shows it.
		4031: {
			api: 'messaging',
			status: 403,
			msg: 'Wrong Dispatch Status',
			cause: 'the dispatch was not started, or is finished',
			source: 'page',
		},
	};

	it('has exactly the listed codes', () => {
		expect(apiErrors).toEqual(tables);
	});
});

describe('widget errors', () => {
	const table: Array<[number, string, string]> = [
		[110, 'user', 'the captcha was not solved'],
		[130, 'user', "too many requests for this number or from the user's IP"],
		[210, 'settings', 'insufficient balance'],
		[
			230,
			'settings',
			'the sender name set in the widget for the channel is inactive, for example after it was closed',
		],
		[310, 'integration', 'the widget was initialized with a wrong widget ID'],
		[320, 'integration', '`key` is missing in POST /api/v1/verifier/widget/send'],
		[
			321,
			'integration',
			"the service doesn't receive a send request; for a website builder, the widget must be created for the builder site",
		],
		[330, 'integration', 'invalid API key in the send request'],
		[331, 'integration', 'the API key has the wrong type (insufficient rights)'],
		[
			340,
			'integration',
			"captcha verification failed: the secret key doesn't match the site key, the captcha type is wrong, the captcha provider restricts the domain, or its free monthly quota of 10000 requests is exceeded",
		],
		[
			341,
			'integration',
			"the browser can't load the captcha provider's script: the site key is invalid, the captcha type in the settings is wrong, or the provider's URLs are blocked",
		],
		[
			350,
			'integration',
			"the function that passes the message ID to the client's server fails, for example because of an invalid URL",
		],
	];

	it('has exactly the listed codes', () => {
		const rows = table.map(([code, errorClass, cause]) => [code, { class: errorClass, cause }]);
		expect(widgetErrors).toEqual(Object.fromEntries(rows));
	});
});

describe('message error codes', () => {
	/** "125 and 149 to 152 (Telegram sending errors) and 453 to 456 (general sending errors)": codes without a meaning */
	const stated = [125, 149, 150, 151, 152, 453, 454, 455, 456];
	/** A public page of a sister product, each with a word of its meaning there. */
	const published: Array<[number, RegExp]> = [
		[11, /wrong or doesn't exist/],
		[127, /in time/],
		[453, /recipient's number is on a block list.*Remove/],
		[454, /sender name is on a block list/],
		[455, /restricted/],
		[456, /doesn't exist.*Correct/],
		[457, /isn't registered/],
		[458, /platform blocks/],
		[501, /doesn't know this recipient/],
		[502, /operator failed/],
		[503, /region isn't supported/],
		// Two editions of the page swap 504 and 508, so both have one text.
		[504, /off, out of range, or has no SMS service.*later/],
		[505, /blocks incoming messages/],
		[506, /blocked, or has no SMS service/],
		[508, /off, out of range, or has no SMS service.*later/],
		[509, /roaming/],
		[510, /messages from applications/],
	];

	it('has exactly the listed codes', () => {
		const all = new Set([...stated, ...published.map(([code]) => code)]);
		expect(Object.keys(messageErrors).map(Number)).toEqual([...all].sort((a, b) => a - b));
	});
	it.each(published)('%d: a sentence and what to do', (code, meaning) => {
		expect(messageErrors[code]).toEqual({
			text: expect.stringMatching(meaning) as string,
			source: 'page',
		});
		expect(messageErrorText(code)).toMatch(/^[A-Z].*[^.]\. [A-Z].*\.$/);
	});
	it.each([125, 149, 150, 151, 152])('%d: only its group is stated', (code) => {
		expect(messageErrors[code]?.text).toContain('Telegram');
		expect(messageErrors[code]).not.toHaveProperty('source');
	});
	it.each([0, 999, '453', null, undefined, 'constructor'])('%j means nothing', (code) => {
		expect(messageErrorText(code)).toBeUndefined();
	});
});
