import { isPassing, judge, tooLarge } from '../../core/transport/exchange';

const now = Date.UTC(2026, 2, 2, 7);
const page = '<html><body>Bad Gateway</body></html>';
const serviceError = { error: { code: 4000, msg: 'No' } };

const calls = {
	read: { method: 'GET', replyType: 'json', repeatable: true },
	readText: { method: 'GET', replyType: 'text', repeatable: true },
	put: { method: 'PUT', replyType: 'json', repeatable: true },
	change: { method: 'PUT', replyType: 'any', repeatable: true },
	create: { method: 'POST', replyType: 'json', repeatable: false },
} as const;
type Call = keyof typeof calls;

const answered = (
	call: Call,
	status: number,
	body?: unknown,
	headers: Record<string, unknown> = {},
) => judge(calls[call], { kind: 'answer', status, headers, body, bytes: 0 }, now);

describe('an answer with a status of success', () => {
	it.each<[Call, string, unknown]>([
		['read', 'an object', {}],
		['read', 'a list', []],
		['readText', 'a text', 'pong'],
		['put', 'an object', { a: 1 }],
		['put', 'nothing', undefined],
		['put', 'null', null],
		['put', 'an empty text', ''],
		['change', 'nothing', undefined],
		['change', 'a text', 'done'],
		['create', 'nothing', undefined],
		['create', 'a text', 'created'],
		['create', 'a number', 17],
	])('ends the call %s with %s', (call, _, body) => {
		for (const status of [200, 201, 299]) {
			expect(answered(call, status, body)).toMatchObject({ verdict: 'done', answer: { status } });
		}
	});

	it.each<[Call, string, unknown, string]>([
		['read', 'nothing', undefined, 'empty'],
		['read', 'null', null, 'empty'],
		['read', 'an empty text', '', 'empty'],
		['read', 'a text', 'pong', 'notJson'],
		['read', 'a web page', page, 'html'],
		['read', 'too much', tooLarge, 'tooLarge'],
		['readText', 'a blank text', ' ', 'notJson'],
		['readText', 'an object', {}, 'notJson'],
		['readText', 'a web page', page, 'html'],
		['put', 'a text', 'done', 'notJson'],
		['put', 'a web page', page, 'html'],
		['put', 'too much', tooLarge, 'tooLarge'],
		['change', 'a web page', page, 'html'],
		['change', 'too much', tooLarge, 'tooLarge'],
		['create', 'a web page', page, 'html'],
		['create', 'too much', tooLarge, 'tooLarge'],
	])('leaves the call %s open with %s', (call, _, body, reply) => {
		expect(answered(call, 200, body)).toEqual({
			verdict: 'unknown',
			problem: { status: 200, reply },
		});
	});

	it.each<[Call, string, unknown, object]>([
		['read', 'refused', serviceError, { code: 4000, serviceText: 'No' }],
		['read', 'refused', { success: false }, {}],
		['put', 'refused', { error: 'No' }, { serviceText: 'No' }],
		['create', 'unknown', serviceError, { code: 4000, serviceText: 'No' }],
		['create', 'unknown', { success: false }, {}],
	])('that reports an error leaves the call %s %s', (call, verdict, body, more) => {
		const problem = { status: 200, reply: 'error', ...more };
		expect(answered(call, 200, body)).toEqual({ verdict, problem });
	});
});

describe('an answer with another status', () => {
	it.each<[number, string, string]>([
		[199, 'refused', 'refused'],
		[300, 'unknown', 'refused'],
		[302, 'unknown', 'refused'],
		[303, 'unknown', 'refused'],
		[304, 'unknown', 'refused'],
		[305, 'unknown', 'refused'],
		[400, 'refused', 'refused'],
		[404, 'refused', 'refused'],
		[408, 'unknown', 'unknown'],
		[409, 'refused', 'refused'],
		[429, 'notCarriedOut', 'notCarriedOut'],
		[499, 'refused', 'refused'],
		[500, 'unknown', 'unknown'],
		[503, 'unknown', 'unknown'],
	])('%i leaves a creation %s, and a reading %s', (status, creation, reading) => {
		expect(answered('create', status, {}).verdict).toBe(creation);
		expect(answered('read', status, {}).verdict).toBe(reading);
	});

	it.each<[string, unknown, object]>([
		['an empty object', {}, {}],
		["the contract's error", serviceError, { code: 4000, serviceText: 'No' }],
		['another object', { reason: 'No' }, { serviceText: '{"reason":"No"}' }],
		['a text', 'No', { serviceText: 'No' }],
		['nothing', undefined, { reply: 'empty' }],
		['null', null, { reply: 'empty' }],
		['an empty text', '', { reply: 'empty' }],
		['too much', tooLarge, { reply: 'tooLarge' }],
		['a web page', page, { reply: 'html' }],
		['a web page in capitals after blanks', ' \n<!DOCTYPE html><p>', { reply: 'html' }],
		['the head of a web page', '<head><title>No</title>', { reply: 'html' }],
		['the body of a web page', '<body>No', { reply: 'html' }],
		['another tag', '<bodyguard>', { serviceText: '<bodyguard>' }],
		['a text about a tag', 'No <html>', { serviceText: 'No <html>' }],
		[
			'a web page after too many blanks',
			' '.repeat(200) + page,
			{ serviceText: ' '.repeat(200) + page },
		],
	])('is described by its body: %s', (_, body, described) => {
		expect(answered('create', 400, body)).toEqual({
			verdict: 'refused',
			problem: { status: 400, ...described },
		});
	});

	it('hides the login of a callback URL that it repeats', () => {
		const { problem } = answered('create', 400, { callbackUrl: 'https://a:b@n8n.example/hook' });
		expect(problem?.serviceText).not.toContain('a:b');
	});

	it('tells where it leads, and when to come back', () => {
		const headers = { location: 'https://elsewhere.example', 'retry-after': '7' };
		expect(answered('read', 302, '', headers).problem).toMatchObject({
			location: 'https://elsewhere.example',
			retryAfterMs: 7_000,
		});
		const empty = { location: '', 'retry-after': ['7'] };
		const { problem } = answered('read', 302, '', empty);
		expect([problem?.location, problem?.retryAfterMs]).toEqual([undefined, undefined]);
	});
});

describe('Retry-After', () => {
	it.each([
		['0', 0],
		['7', 7_000],
		['1.5', 1_500],
		['86400', 86_400_000],
		['-5', 0],
		['Mon, 02 Mar 2026 07:00:10 GMT', 10_000],
		['Mon, 02 Mar 2026 06:00:00 GMT', 0],
		['soon', undefined],
		['', undefined],
		[7, undefined],
	])('%j is %j ms', (value, expected) => {
		expect(answered('read', 429, '', { 'retry-after': value }).problem?.retryAfterMs).toBe(
			expected,
		);
	});

	it('may be missing', () => {
		expect(answered('read', 429).problem?.retryAfterMs).toBeUndefined();
	});
});

describe('no answer', () => {
	const unanswered = (code?: string, syscall?: string) =>
		judge(calls.create, { kind: 'noAnswer', code, syscall }, now);

	it.each([
		'ENOTFOUND',
		'EAI_AGAIN',
		'ERR_INVALID_URL',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'SELF_SIGNED_CERT_IN_CHAIN',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'UNABLE_TO_GET_ISSUER_CERT',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		'CERT_HAS_EXPIRED',
	])('because of %s: it was never sent', (code) => {
		expect(unanswered(code)).toEqual({
			verdict: 'notCarriedOut',
			problem: { connection: code },
		});
	});

	it.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])(
		'because of %s: it was never sent only if that happened while connecting',
		(code) => {
			expect(unanswered(code, 'connect').verdict).toBe('notCarriedOut');
			expect(unanswered(code, 'bind').verdict).toBe('notCarriedOut');
			expect(unanswered(code, 'read').verdict).toBe('unknown');
			expect(unanswered(code, 'write').verdict).toBe('unknown');
			expect(unanswered(code).verdict).toBe('unknown');
		},
	);

	it.each(['ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'EPROTO', 'MY_CERT_', undefined])(
		'because of %s: it may have been carried out',
		(code) => {
			expect(unanswered(code, 'connect').verdict).toBe('unknown');
		},
	);
});

describe('a log-in that failed', () => {
	it.each([
		['refused', 'refused'],
		['unknown', 'notCarriedOut'],
		['notCarriedOut', 'notCarriedOut'],
	] as const)('%s: the call itself is %s', (outcome, verdict) => {
		const problem = { status: 500 };
		const judged = judge(calls.create, { kind: 'noLogIn', outcome, problem }, now);
		expect(judged).toEqual({ verdict, problem });
	});
});

describe('a problem that may pass', () => {
	it.each([
		{},
		{ connection: 'ECONNRESET' },
		{ connection: 'ERR_NETWORK' },
		{ connection: 'MY_CERT_' },
		{ reply: 'html' as const },
	])('%j', (problem) => {
		expect(isPassing(problem)).toBe(true);
	});

	it.each([
		{ reply: 'tooLarge' as const },
		{ connection: 'ERR_INVALID_URL' },
		{ connection: 'ERR_NETWORK_CHANGED' },
		{ connection: 'EPROTO' },
		{ connection: 'CERT_HAS_EXPIRED' },
		{ connection: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
		{ connection: 'SELF_SIGNED_CERT_IN_CHAIN' },
		{ connection: 'UNABLE_TO_GET_ISSUER_CERT' },
	])('%j is none', (problem) => {
		expect(isPassing(problem)).toBe(false);
	});
});
