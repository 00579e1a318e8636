import fc from 'fast-check';
import { loginIn, toCallbackUrl } from '../../core/contract/callbackUrl';
import { isHttpUrl } from '../../core/contract/rfc3986';
import { CallbackUrl } from '../../core/contract/values';

const noUrl = 'must be a URL that starts with http:// or https://';

describe('goes out as RFC 3986 has it', () => {
	test.each([
		['https://example.com/hook', 'https://example.com/hook'],
		['  https://example.com/hook\n', 'https://example.com/hook'],
		['\ufeffhttps://example.com/hook\u00a0', 'https://example.com/hook'],
		['HTTPS://EXAMPLE.com/Hook', 'https://example.com/Hook'],
		['https://example.com/my hook?a=b c', 'https://example.com/my%20hook?a=b%20c'],
		['https://example.com/хук', 'https://example.com/%D1%85%D1%83%D0%BA'],
		[
			'https://пример.рф/хук?имя=я',
			'https://xn--e1afmkfd.xn--p1ai/%D1%85%D1%83%D0%BA?%D0%B8%D0%BC%D1%8F=%D1%8F',
		],
		['https://example.com/a%20b%D1%8F?c=%2f', 'https://example.com/a%20b%D1%8F?c=%2f'],
		['http://10.0.0.1:8080/', 'http://10.0.0.1:8080/'],
		['http://[2001:DB8::1]:8080/x', 'http://[2001:db8::1]:8080/x'],
		['http://[::ffff:10.0.0.1]/', 'http://[::ffff:a00:1]/'],
		['https://callbacks:p%40ss@example.com/', 'https://callbacks:p%40ss@example.com/'],
		['https://call backs:p@ss@example.com', 'https://call%20backs:p%40ss@example.com/'],
	])('%j as %s', (text, expected) => {
		expect(toCallbackUrl(text)).toEqual({ url: expected });
		expect(CallbackUrl.safeParse(expected).success).toBe(true);
	});
});

describe('is rejected, with an example', () => {
	test.each([
		['example.com/hook', noUrl],
		['//example.com/hook', noUrl],
		['http:/x', noUrl],
		['https:example.com', noUrl],
		['https:\\\\example.com', noUrl],
		['ftp://example.com/hook', noUrl],
		['javascript:alert(1)', noUrl],
		['file:///etc/passwd', noUrl],
		['see https://example.com/', noUrl],
		['https://', noUrl],
		['https:///hook', noUrl],
		['https://?a=1', noUrl],
		['https://:8080/', "isn't a valid URL"],
		['https://user:pass@/hook', "isn't a valid URL"],
		['https://user:pass@:80/hook', "isn't a valid URL"],
		['https://example.com/100%', "isn't a valid URL"],
		['https://example.com/?a=%zz', "isn't a valid URL"],
		['https://example.com/[1]', "isn't a valid URL"],
		['https://example.com/?a[]=1|2', "isn't a valid URL"],
		['https://callbacks:p%ss@example.com/', "isn't a valid URL"],
		['https://example.com/#part', 'contains a "#"'],
		['https://example.com/a\nb', 'contains a line break'],
		['https://example.com/a\u0000b', 'contains a line break or another invisible character'],
		['https://exam\tple.com/', 'contains a line break or another invisible character'],
		['https://example.com/a\u200bb', 'contains a line break or another invisible character'],
		['https://example.com/\ud800', 'contains a line break or another invisible character'],
		['https://example.com\\@10.0.0.1/', 'contains a "\\"'],
		['https://example.com:65536/', "isn't a valid URL"],
		['https://example.com:0/', "isn't a valid URL"],
		['https://example.com:99999999999999999999/', "isn't a valid URL"],
		['https://example.com:8o/', "isn't a valid URL"],
		['https://exam ple.com/', "isn't a valid URL"],
		['https://exam%20ple.com/', "isn't a valid URL"],
		['https://exam{ple}.com/', "isn't a valid URL"],
		['https://[::1/', "isn't a valid URL"],
		['https://[fe80::1%25eth0]/', "isn't a valid URL"],
		['https://1.2.3.256/', "isn't a valid URL"],
	])('%j %s', (text, expected) => {
		const { problem = '' } = { problem: undefined, ...toCallbackUrl(text) };
		expect(problem).toContain(expected);
		expect(problem).toContain('such as https://');
	});
});

test.each([
	'https://example.com/a b',
	'https://example.com/я',
	'https://пример.рф/',
	'https://example.com/?a=[1]',
	'https://example.com/%',
	'https://example.com/#a',
	'https://example.com:0/',
	'https://example.com:70000/',
	'http://[1::2::3]/',
	'http://[1:2:3:4:5:6:7]/',
	'http://[1:2:3:4:5:6:7:8:9]/',
	'http://[::1.2.3.400]/',
	'http://a@b@c/',
	'http:/x',
	'http:///x',
	'ftp://x/',
	'',
])('%j is not of the grammar', (text) => {
	expect(isHttpUrl(text)).toBe(false);
	expect(CallbackUrl.safeParse(text).success).toBe(false);
});

test.each([
	'http://[1:2:3:4:5:6:7:8]/',
	'http://[::]/',
	'http://[1::2.3.4.5]:1/',
	'http://a',
	"https://u:p@a.b_c:1/!$&'()*+,;=:@?/?",
])('%j is of the grammar', (text) => expect(isHttpUrl(text)).toBe(true));

describe('properties', () => {
	const piece = fc.oneof(
		fc.string({ unit: 'grapheme', maxLength: 12 }),
		fc.string({ unit: 'binary', maxLength: 6 }),
		fc.string({ unit: fc.constantFrom(...'[]|^`{}"<>\\%#?/@:& +;='), maxLength: 8 }),
		fc.constantFrom('example.com', 'пример.рф', '10.0.0.1', '[::1]', 'a:b@c', ':80', '%20', '%zz'),
	);
	const text = fc
		.tuple(
			fc.constantFrom(
				'https://',
				'http://',
				'HTTP://',
				'',
				'https:',
				'https:/',
				' https://',
				'ftp://',
			),
			fc.oneof(piece, fc.constantFrom('example.com', 'u:p@example.com:8080')),
			fc.array(fc.oneof(piece, fc.constantFrom('/', '?', '&a=')), { maxLength: 6 }),
		)
		.map(([scheme, host, rest]) => scheme + host + rest.join(''));

	test('whatever is accepted is of the grammar, and accepted again as it is', () => {
		let accepted = 0;
		fc.assert(
			fc.property(text, (written) => {
				const result = toCallbackUrl(written);
				if (!('url' in result)) return expect(result.problem).toContain('such as https://');
				accepted++;
				expect(isHttpUrl(result.url)).toBe(true);
				expect(toCallbackUrl(result.url)).toEqual({ url: result.url });
			}),
			{ numRuns: 5_000 },
		);
		expect(accepted).toBeGreaterThan(500);
	});

	test('a login and a password come back out as they were put in', () => {
		const word = fc.string({ unit: 'grapheme', minLength: 1 });
		fc.assert(
			fc.property(word, word, (login, password) => {
				const userinfo = `${encodeURIComponent(login)}:${encodeURIComponent(password)}`;
				const result = toCallbackUrl(`https://${userinfo}@example.com/`);
				expect('url' in result && loginIn(result.url)).toEqual({ login, password });
			}),
		);
	});

	test('only the place of a sign decides: what stands in the query stays there', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string()), (query) => {
				const search = new URLSearchParams(query).toString();
				const result = toCallbackUrl(`https://example.com/?${search}`);
				const read = 'url' in result ? new URL(result.url).searchParams : undefined;
				expect(Object.fromEntries(read ?? [])).toEqual(query);
			}),
		);
	});
});
