import { ErrorBody, apiErrors, messageErrors, widgetErrors } from '../../core/contract/errors';
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
	};

	it('has exactly the listed codes', () => {
		expect(Object.keys(apiErrors).sort()).toEqual(Object.keys(tables).sort());
	});
	for (const [code, row] of Object.entries(tables)) {
		it(`code ${code}`, () => {
			expect(apiErrors).toHaveProperty(code, row);
		});
	}
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
		expect(Object.keys(widgetErrors).map(Number)).toEqual(table.map(([code]) => code));
	});
	for (const [code, errorClass, cause] of table) {
		it(`code ${code}`, () => {
			expect(widgetErrors[code]).toEqual({ class: errorClass, cause });
		});
	}
});

describe('message error codes', () => {
	const groups = {
		'Telegram sending error': [125, 149, 150, 151, 152],
		'General sending error': [453, 454, 455, 456],
	};

	it('has exactly the listed codes', () => {
		expect(Object.keys(messageErrors).map(Number)).toEqual(Object.values(groups).flat());
	});
	for (const [text, codes] of Object.entries(groups)) {
		it(`${codes.join(', ')}: ${text}`, () => {
			expect(codes.map((code) => messageErrors[code])).toEqual(codes.map(() => text));
		});
	}
});
