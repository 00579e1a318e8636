import fc from 'fast-check';
import { countries } from '../../core/recipients/countries';
import { toDigits } from '../../core/recipients/phone';
import { isCountry } from '../../vendor/phone';

/** Without the short way for Russian mobile numbers, which is only for the code as the screen offers it. */
const toDigitsInFull = (value: unknown, country: string) => toDigits(value, country.toLowerCase());

/** Digits are what comes out; anything else is the reason why nothing does. */
type Row = [written: unknown, expected: string];

const expectRow = (country: string) => (written: unknown, expected: string) => {
	const result = /^\d+$/.test(expected) ? { digits: expected } : { reason: expected };
	expect(toDigits(written, country)).toEqual(result);
	expect(toDigitsInFull(written, country)).toEqual(result);
};
/** What comes out, and in how many ways people write it. */
const reads = (
	title: string,
	country: string,
	lines: Array<[expected: string, ...written: unknown[]]>,
): void =>
	test.each<Row>(
		lines.flatMap(([expected, ...all]) => all.map((written): Row => [written, expected])),
	)(`${title}: %p is %s`, expectRow(country));

const several = 'contains more than one phone number, or an extension';
const letters = 'contains letters';
const otherType = "isn't text or a number";
const lostDigits = 'may have lost its last digits in a spreadsheet';
const shortOf = (country: string) => `is too short for a phone number in ${country}`;
const longOf = (country: string) => `is too long for a phone number in ${country}`;
const noneOf = (country: string) => `isn't a valid phone number in ${country}`;
const needsPlus = (country: string) =>
	`could be a number in ${country}. Write it with + and the country code`;
const lacks = (code: string) => `is missing a digit, or ${code} at the start`;
const plusBeforeEight = (country: string) =>
	`could be a number in ${country} with a plus before its 8. Write +7 instead of +8, or add a space after the country code`;
const tooManyDigits = 'has more than 15 digits, the maximum for a phone number';

describe('Russia by default', () => {
	reads('Russian mobile numbers', 'RU', [
		['79123456789', '89123456789', '79123456789', '+79123456789', '9123456789'],
		['79123456789', '8 (912) 345-67-89', '8(912)3456789', '8-912-345-67-89'],
		['79123456789', '8 912 345 67 89', '8.912.345.67.89', '8/912/345-67-89'],
		['79123456789', '8 [912] 345 67 89', '+7 912 345 67 89', '+7(912)345-67-89'],
		['79123456789', '+7 (912) 345 - 67 - 89', '(+7) 912 345-67-89', '+ 7 912 345 67 89'],
		['79123456789', '++79123456789', '7 912 345-67-89', '912 345-67-89'],
		['79123456789', '(912) 345-67-89', '  89123456789  ', '89123456789.', '89123456789;'],
		['79123456789', ', 89123456789,', '89123456789\r\n'],
		['79123456789', '8\u00a0912\u00a0345\u00a067\u00a089'],
		['79123456789', '+7\u202f912\u2009345\u200a67\u300089', '8\t912\t3456789'],
		['79123456789', '+7 912 345–67–89', '+7 912 345—67−89', '+7 912 345\u201167\u201089'],
		['79123456789', '\ufeff89123456789', '\u202a+79123456789\u202c'],
		['79123456789', '+7\u200b912\u200b345\u200d67\u206089', '8912\u00ad345\u00ad6789'],
		[
			'79123456789',
			'＋７９１２３４５６７８９',
			'８（９１２）３４５－６７－８９',
			'+٧٩١٢٣٤٥٦٧٨٩',
			'+۷۹۱۲۳۴۵۶۷۸۹',
		],
		['79123456789', "'+79123456789", "'89123456789", '’89123456789', '"89123456789"'],
		['79123456789', '="+79123456789"', 'tel:+79123456789', 'TEL:+7-912-345-67-89'],
		['79123456789', 'tel:8(912)345-67-89', 'tel://+79123456789', '00 7 912 345 67 89'],
		['79123456789', '810 7 912 345-67-89', '8-10-7-912-345-67-89'],
		["doesn't start with a known country code", '+007 912 345 67 89'],
		// Slips that leave no doubt: the 8 kept behind +7, the plus put before the 8. No country code begins with 89.
		['79123456789', '+7 8 912 345-67-89', '+7 (8912) 345-67-89', '+8 912 345-67-89'],
		// The library's patterns do not know this range; it is as long as a mobile number.
		['79300060000', '8 930 006-00-00'],
	]);

	reads('numbers as JSON and spreadsheets hold them', 'RU', [
		['79123456789', 79123456789, 89123456789, 9123456789, 7.9123456789e10],
		['79123456789', '79123456789.0', '79123456789,00'],
		[needsPlus('Ukraine'), 380501234567],
		[otherType, 79123456789n],
		// A spreadsheet shows six digits, and a number that ends in 0 looks the same as one cut short. So none of them is read.
		[lostDigits, '7.9123456789E+10', '7,9123456789E+10', '7.9123456789e10'],
		[lostDigits, '3.80501234567E+11', '7.91235E+10', '7,91E+10', '7.912345678E+10'],
		[lostDigits, '7.91234567891E+10'],
		[several, '79,123,456,789'],
		["isn't a phone number", 79123456789.5, -79123456789, NaN, Infinity, -Infinity, 1e21],
		[shortOf('Russia'), 0],
	]);

	reads('Russian landlines and freephone numbers', 'RU', [
		['74951234567', '8 (495) 123-45-67', '+7 495 123-45-67', '74951234567'],
		['74951234567', '495 123-45-67'],
		['78123456789', '8 (812) 345-67-89', '+7 812 345 67 89'],
		['73437721234', '8 (34377) 2-12-34'],
		['78005553535', '8-800-555-35-35'],
		// A new area code would look like this; nobody abroad has such a number.
		['75123456789', '8 (512) 345-67-89'],
	]);

	reads('Kazakhstan shares +7', 'RU', [
		['77011234567', '+7 701 123 45 67', '77011234567', '8 (701) 123-45-67', '87011234567'],
		['77172123456', '+7 7172 12-34-56'],
		// Kazakh without +7, or Russian with a digit missing: who knows.
		[lacks('+7'), '7011234567'],
	]);

	reads('other countries, with the plus or an international prefix', 'RU', [
		['375291234567', '+375 29 123-45-67'],
		['375172123456', '+375 (17) 212-34-56'],
		['380501234567', '+380 50 123 45 67', '+38 (050) 123-45-67', '810 380 50 123 45 67'],
		['380501234567', '00380501234567'],
		['998901234567', '+998 90 123-45-67'],
		['37491123456', '+374 91 12-34-56'],
		['996555123456', '+996 555 123 456'],
		['994501234567', '+994 50 123 45 67'],
		['995555123456', '+995 555 12 34 56'],
		['992901234567', '+992 90 123 4567'],
		['37369123456', '+373 69 123 456'],
		['4915112345678', '+49 151 12345678', '+49 (0)151 12345678'],
		['4930123456', '+49 30/123456'],
		['435572123456', '+43 5572/123456'],
		['447911123456', '+44 7911 123456'],
		['442079460958', '+44 (0)20 7946 0958'],
		['12025550123', '+1 (202) 555-0123'],
		['14165550123', '+1 416 555 0123'],
		['905321234567', '+90 532 123 45 67'],
		['971501234567', '+971 50 123 4567'],
		['8613812345678', '+86 138 1234 5678'],
		['919876543210', '+91 98765 43210'],
		['972541234567', '+972 54-123-4567'],
		['390669824600', '+39 06 6982 4600'],
		['819012345678', '+81 90-1234-5678'],
		['81312345678', '+81 3-1234-5678'],
		['821012345678', '+82 10-1234-5678'],
		['84912345678', '+84 91 234 56 78'],
		['48501234567', '+48 501 234 567'],
		['33612345678', '+33 6 12 34 56 78'],
		['80012345678', '+800 1234 5678'],
		// Unknown to the library's patterns, as long as a mobile number there: patterns grow old.
		['972501234567', '+972 50 123 4567'],
		['375311234567', '+375 31 123-45-67'],
	]);

	reads('other countries without the plus: a guess could reach a stranger', 'RU', [
		[needsPlus('Ukraine'), '380501234567', '38 (050) 123-45-67', '380/501234567'],
		[needsPlus('Belarus'), '375 29 123-45-67'],
		[needsPlus('Uzbekistan'), '998901234567'],
		[needsPlus('Armenia'), '37491123456'],
		[needsPlus('Kyrgyzstan'), '996555123456'],
		[needsPlus('Germany'), '4915112345678'],
		[needsPlus('the United Kingdom'), '447911123456', '442079460958'],
		[needsPlus('the United States'), '12025550123'],
		[needsPlus('Turkey'), '905321234567'],
		[needsPlus('the United Arab Emirates'), '971501234567'],
		[needsPlus('China'), '8613812345678'],
		[needsPlus('India'), '919876543210'],
		[needsPlus('Israel'), '972522345678', '972501234567'],
		[needsPlus('Japan'), '819012345678'],
		[needsPlus('South Korea'), '821012345678'],
		[needsPlus('Italy'), '390669824600'],
		[shortOf('Turkey'), '8109012345678'],
		[noneOf('Russia'), '38050123456', '2025550123', '0501234567', '5123456789'],
		[needsPlus('Singapore'), '6581234567'],
		[needsPlus('Norway'), '4791234567'],
	]);

	// Without the plus, 8 and ten digits are Russian if Russia knows the area code: 84912345678 is Ryazan, though it could
	// be Vietnam. If it does not, and another country does know the number, nobody gets it.
	describe('the leading 8', () => {
		reads('numbers', 'RU', [
			['74912345678', '84912345678'],
			['78431234567', '8 (843) 123-45-67'],
			[needsPlus('Hong Kong'), '85291234567'],
			[needsPlus('South Korea'), '82212345678'],
			[needsPlus('Japan'), '81312345678'],
			[noneOf('Russia'), '8 (029) 123-45-67', '80501234567'],
			[plusBeforeEight('Russia'), '+8 800 555-35-35', '+8 383 123-45-67'],
			// A mobile number of Vietnam only with a separator behind its code.
			[plusBeforeEight('Russia'), '+8 (495) 123-45-67', '+8-495-123-45-67'],
			[plusBeforeEight('Russia'), '+8(4912)345678', '+84951234567', '+849 512 345-67'],
			[plusBeforeEight('Russia'), '0084951234567'],
			['84951234567', '+84 951234567', '+84-95-123-45-67'],
			[plusBeforeEight('Kazakhstan'), '+8 701 123-45-67'],
			["doesn't start with a known country code", '+8 529 123-45-67'],
			['85291234567', '+852 9123-4567'],
		]);

		test.each<[country: string, ...Row]>([
			['KZ', '+8 (495) 123-45-67', plusBeforeEight('Russia')],
			['KZ', '+84951234567', plusBeforeEight('Russia')],
			['DE', '+8 (495) 123-45-67', "doesn't start with a known country code"],
			['DE', '+84951234567', '84951234567'],
		])('%s: %j is %s', (country, written, expected) => expectRow(country)(written, expected));
	});

	reads(
		'a Russian number with a digit too many, though another country has such a mobile number',
		'RU',
		[
			[needsPlus('a country with the code +968'), '96891234567', 96891234567],
			[needsPlus('Turkmenistan'), '99365123456'],
			[needsPlus('a country with the code +974'), '97433123456'],
			// Before it.
			[needsPlus('the United States'), '19165550123'],
			[needsPlus('Iran'), '989123456789'],
			// Behind a landline of Sevastopol.
			[needsPlus('Taiwan'), '886912345678'],
			['96891234567', '+968 9123 4567'],
			['989123456789', '+98 912 345 6789'],
			[needsPlus('Tajikistan'), '992901234567'],
			[needsPlus('Azerbaijan'), '994501234567'],
			[needsPlus('Georgia'), '995555123456'],
			[needsPlus('Moldova'), '37369123456'],
			[needsPlus('Poland'), '48501234567'],
		],
	);

	describe('digits that would vanish or come from nowhere', () => {
		reads('numbers', 'RU', [
			[longOf('China'), '+86 113 8280 24439'],
			[longOf('Argentina'), '+54 11 15 1234 5678'],
			['has a 0 after +44. Remove it, or check the number', '+44 07911 123456'],
			['has a 0 after +49. Remove it, or check the number', '+49 0151 12345678'],
			['4910511234567' + '8', '+49 1(0)51 12345678'],
		]);

		test.each<[country: string, ...Row]>([
			['CN', '113 8280 24439', noneOf('China')],
			['AR', '011 15 1234-5678', noneOf('Argentina')],
			['DE', '+7 8 912 345-67-89', longOf('Russia')],
			['GB', '+44 07911 123456', '447911123456'],
			['DE', '0049 0151 12345678', '4915112345678'],
			['RU', '0049 0151 12345678', 'has a 0 after +49. Remove it, or check the number'],
		])('%s: %j is %s', (country, written, expected) => expectRow(country)(written, expected));
	});

	reads('a digit too few or too many', 'RU', [
		[shortOf('Russia'), '+7 912', '+7 912 345-67-8', '912345678', '345-67-89', '112', '5'],
		[longOf('Russia'), '+7 912 345-67-890', '891234567890', '791234567890'],
		[lacks('+7'), '8912345678', '7912345678', '8123456789'],
		['is too short for a phone number', '+7'],
		['contains no digits', '+'],
		// Fourteen digits after +7 exist, for machines; here they are a landline and its extension.
		[longOf('Russia'), '+7 812 345-67-89 1234', '1234567890123456'],
		['has a 0 after +7. Remove it, or check the number', '+7 012 345-67-89'],
		[shortOf('Belarus'), '+375 29 123-45'],
		[shortOf('Ukraine'), '+380 50 123 45 6'],
		[longOf('Ukraine'), '+380 50 123 45 678'],
		[shortOf('Turkey'), '+90 532 123 45 6'],
		[shortOf('Israel'), '+972 54 123 456'],
		[shortOf('Uzbekistan'), '+998 90 123 45 6'],
		[shortOf('North America'), '+1 202 555 012'],
		[noneOf('North America'), '+1 102 555 0123'],
		[shortOf('Germany'), '+49 1234'],
		["doesn't start with a known country code", '+999 123 456 789', '+0 912 345 67 89'],
		["doesn't start with a known country code", '00000000000'],
		[tooManyDigits, '+1234567890123456'],
	]);

	reads('extensions', 'RU', [
		[letters, '+7 495 123-45-67 доб. 123', '8 (495) 123-45-67, доб.12'],
		[letters, '8 495 1234567 вн 5', '84951234567 (добавочный 123)'],
		[letters, '+7 495 123-45-67 ext. 123', '+74951234567x123', '+74951234567 Х 12'],
		[letters, 'tel:+74951234567;ext=123'],
		['contains "#", which doesn\'t belong in a phone number', '+74951234567#123'],
		[several, '+74951234567,123', '+74951234567,,12', '+7 495 123-45-67 (123)'],
	]);

	reads('more than one number', 'RU', [
		[several, '89123456789, 89131234567', '89123456789,89131234567'],
		[several, '89123456789; 89131234567', '89123456789 | 89131234567'],
		[several, '89123456789\n89131234567', '89123456789 / 89131234567', '89123456789/90'],
		[several, '+79123456789 +79131234567'],
		[tooManyDigits, '8 912 345-67-89 89131234567'],
		[longOf('Russia'), '22-33-44 / 22-33-45'],
	]);

	reads('no number at all', 'RU', [
		['is empty', '', '   ', '\u200b\u00a0\ufeff', "'", 'tel:', null, undefined],
		['contains no digits', '-', '()'],
		[letters, 'нет', 'Иван 89123456789', 'тел. 8 912 345-67-89', '8912345б789'],
		[letters, '8O123456789', '1-800-FLOWERS', 'user@example.com'],
		['contains "*", which doesn\'t belong in a phone number', '*100#'],
		['contains "№", which doesn\'t belong in a phone number', '№ 89123456789'],
		['contains "📞", which doesn\'t belong in a phone number', '📞 89123456789'],
		['contains "_", which doesn\'t belong in a phone number', '8_912_345_67_89'],
		['contains "²", which doesn\'t belong in a phone number', '8912345678²'],
		["contains a character, which doesn't belong in a phone number", '8912\u00003456789'],
		[otherType, true, false, {}, { phone: '89123456789' }, ['89123456789'], new Date(0)],
		[otherType, Symbol('8'), () => '89123456789'],
		['is too long for a phone number', '8'.repeat(201)],
	]);
});

reads('Germany by default', 'DE', [
	['4915112345678', '0151 12345678', '0151/12345678', '4915112345678'],
	['4915112345678', '0049 151 12345678', '+49 151 12345678'],
	// A spreadsheet ate the 0.
	['4915112345678', 15112345678],
	['4930123456', '030 123456', '4930123456'],
	['493012345612', '(030) 123456-12'],
	['436601234567', '0043 660 1234567'],
	['79123456789', '+7 912 345-67-89'],
	[needsPlus('Ukraine'), '380501234567'],
	// 04921 is Emden, and 49 21… may be a number with the country's code.
	['can be read in two ways. Write it with + and the country code', '4921123456'],
	[needsPlus('Russia'), '79123456789'],
	[lacks('+49'), '89123456789', '3012345678', '123456'],
	[several, '030 1234567/68'],
]);

reads('Kazakhstan by default', 'KZ', [
	['77011234567', '8 701 123 45 67', '7011234567', '77011234567', '+7 (701) 123-45-67'],
	['77172123456', '8 (7172) 12-34-56'],
	[lacks('+7'), '7172 12-34-56'],
	['79123456789', '89123456789', '9123456789'],
	['998901234567', '810 998 90 123 45 67'],
	[needsPlus('Uzbekistan'), '998901234567'],
	// A Russian number with a digit missing, and a Kazakh one.
	[lacks('+7'), '7912345678', '8701123456'],
]);

reads('the United States by default', 'US', [
	['12025550123', '(202) 555-0123', '202-555-0123', '1-202-555-0123', '12025550123'],
	['12025550123', 2025550123, '+1.202.555.0123'],
	['14165550123', '416 555 0123'],
	['79123456789', '011 7 912 345 67 89', '00 7 912 345 67 89'],
	[needsPlus('Russia'), '79123456789'],
	['19123456789', '9123456789'],
	[noneOf('the United States'), '89123456789', '1234567890'],
	[shortOf('the United States'), '555-0123'],
	[letters, '202-555-0123 x5'],
]);

test.each<[country: string, ...Row]>([
	['BY', '8 (029) 123-45-67', '375291234567'],
	['BY', '029 123-45-67', '375291234567'],
	['BY', '291234567', '375291234567'],
	['BY', '886972278127', needsPlus('Taiwan')],
	['UA', '050 123 45 67', '380501234567'],
	['UA', '0501234567', '380501234567'],
	['UZ', '90 123 45 67', '998901234567'],
	['AM', '091 12-34-56', '37491123456'],
	['GB', '07911 123456', '447911123456'],
	['GB', '020 7946 0958', '442079460958'],
	['TR', '0532 123 45 67', '905321234567'],
	['AE', '050 123 4567', '971501234567'],
	['CN', '138 1234 5678', '8613812345678'],
	['IN', '98765 43210', '919876543210'],
	['IL', '054-123-4567', '972541234567'],
	['IT', '06 6982 4600', '390669824600'],
	['LT', '8 612 34567', '37061234567'],
	// 008 is a carrier's prefix for calls to other countries, and 00 81 would be Japan.
	['KR', '008 1 202 555 0123', longOf('South Korea')],
	['DE', '+49 (0)0151 12345678', longOf('Germany')],
	['ru', '8 912 345-67-89', '79123456789'],
	[' RU ', '9123456789', '79123456789'],
])('further countries by default: %s: %j is %s', (country, written, expected) =>
	expectRow(country)(written, expected),
);

describe('without a known default country', () => {
	reads('numbers', '', [
		['79123456789', '+7 912 345-67-89'],
		['has no country code, and "" isn\'t a valid default country', '007 912 345-67-89'],
		['has no country code, and "" isn\'t a valid default country', '89123456789'],
		['has no country code, and "" isn\'t a valid default country', '380501234567'],
		["doesn't start with a known country code", '+8 912 345-67-89'],
	]);

	test.each(['XX', 'Russia', '7', '__proto__', 'constructor'])('%s', (country) => {
		expect(toDigits('89123456789', country).reason).toMatch(/isn't a valid default country$/);
	});
});

describe('properties', () => {
	const country = fc.constantFrom('RU', 'KZ', 'BY', 'DE', 'AT', 'US', 'GB', 'IT', 'BR', 'AR', 'XX');
	const digit = fc.constantFrom(...'0123456789');
	const digitsOf = (minLength: number, maxLength = minLength) =>
		fc.string({ unit: digit, minLength, maxLength });
	const sign = fc.constantFrom(...'+-() ./,;|#*xE\'"\n\u00a0\u200b９٣доб');
	const scribble = fc.string({
		unit: fc.oneof({ weight: 5, arbitrary: digit }, { weight: 1, arbitrary: sign }),
		maxLength: 24,
	});
	const plausible = fc
		.tuple(fc.constantFrom('', '+', '00', '810', '8', '0', '7', '+7', '+8'), digitsOf(3, 16))
		.map(([before, digits]) => before + digits);
	const written = fc.oneof(scribble, plausible);

	test('never throws, and gives digits the service takes or a reason', () => {
		const anything = fc.oneof(
			fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
			fc.string({ unit: 'binary', maxLength: 60 }),
			fc.double(),
			fc.integer(),
			fc.bigInt(),
			written,
		);
		fc.assert(
			fc.property(anything, fc.oneof(country, fc.string()), (value, by) => {
				const { digits, reason } = toDigits(value, by);
				if (digits === undefined) expect(reason).toMatch(/^\S.*\S$/);
				else expect(digits).toMatch(/^[1-9]\d{6,14}$/);
			}),
			{ numRuns: 3_000 },
		);
	});

	test('what came out comes out again', () => {
		fc.assert(
			fc.property(written, country, (value, by) => {
				const { digits = '' } = toDigits(value, by);
				// A separator that spoke for another country than the one of the 8 is gone.
				const spaceless = by === 'RU' || by === 'KZ' ? /^8[3478]\d{9}$/ : /^$/;
				if (digits === '' || spaceless.test(digits)) return;
				expect(toDigits(`+${digits}`, by)).toEqual({ digits });
			}),
			{ numRuns: 8_000 },
		);
	});

	test('without a plus or a prefix for calls abroad, nobody abroad is reached', () => {
		const homes = { RU: '7', KZ: '7', BY: '375', DE: '49', US: '1', GB: '44', IT: '39', BR: '55' };
		const home = fc.constantFrom(...Object.entries(homes));
		const code = fc.constantFrom('', '0', '8', '7', '1', '380', '375', '49', '44', '998', '86');
		fc.assert(
			fc.property(code, digitsOf(5, 14), home, (first, rest, [by, own]) => {
				const digits = first + rest;
				if (/^(?:00|810|011)/.test(digits)) return;
				expect(toDigits(digits, by).digits ?? own).toMatch(new RegExp(`^${own}`));
			}),
			{ numRuns: 10_000 },
		);
	});

	test('behind a plus, exactly the digits that were written go out, or none', () => {
		const codes = '1 7 39 44 49 52 54 55 57 61 81 82 84 86 375 378 380 598 852 880 886 976 998';
		const code = fc.oneof(fc.constantFrom(...codes.split(' ')), digitsOf(1, 3));
		const before = fc.oneof(fc.constant(''), fc.constantFrom('0', '8', '80', '9', '15', '113'));
		const rest = fc
			.tuple(code, before, digitsOf(4, 13), fc.constantFrom('', ' ', '-', ' ('))
			.map(([first, second, third, gap]) => `${first}${gap}${second}${third}`)
			.filter((text) => !/^0\D*0/.test(text));
		/** The slips that leave no doubt: what calls within the default country begin with, behind its code. */
		const homeCodes: Record<string, string> = { RU: '7', KZ: '7', BY: '375', DE: '49', AT: '43' };
		Object.assign(homeCodes, { GB: '44', US: '1', IT: '39', BR: '55', AR: '54' });
		const withoutTrunk = (digits: string, home: string) =>
			['0', '8', '80', '1']
				.filter((trunk) => digits.startsWith(home + trunk))
				.map((trunk) => home + digits.slice(home.length + trunk.length));
		fc.assert(
			fc.property(rest, country, (text, by) => {
				const digits = text.replace(/\D/g, '');
				const result = toDigits(`+${text}`, by);
				if (result.digits === undefined) return;
				const home = homeCodes[by];
				const allowed = [digits, ...(home === undefined ? [] : withoutTrunk(digits, home))];
				if (home === '7' && digits.startsWith('89')) allowed.push(`7${digits.slice(1)}`);
				expect(allowed).toContain(result.digits);
			}),
			{ numRuns: 10_000 },
		);
	});

	test('the short way for Russian mobile numbers leads to the same', () => {
		const mobile = fc
			.tuple(fc.constantFrom('', '7', '8', '+7', '+', '+8', '77', '007'), digitsOf(8, 10))
			.map(([before, digits]) => `${before}9${digits}`);
		const value = fc.oneof(
			mobile,
			mobile.map((text) => text.replace(/(\d{3})(\d\d)(\d\d)$/, ' $1-$2-$3')),
			mobile.map(Number),
			written,
		);
		fc.assert(
			fc.property(value, (one) => {
				expect(toDigits(one, 'RU')).toEqual(toDigitsInFull(one, 'RU'));
			}),
			{ numRuns: 5_000 },
		);
	});

	test('so it does for every range of Russian mobile numbers', () => {
		const ranges = Array.from({ length: 1_000 }, (_, index) => `${9_000 + index}123456`);
		// The library's patterns go into the details of 9300 alone.
		const details = Array.from({ length: 100 }, (_, index) => `${930_000 + index}1234`);
		const wrong = [...ranges, ...details]
			.flatMap((number) => [number, `7${number}`, `8${number}`, `+7${number}`])
			.filter((text) => toDigitsInFull(text, 'RU').digits !== `7${text.slice(-10)}`);
		expect(wrong).toEqual([]);
	});

	test('spaces, dashes and brackets change nothing', () => {
		const number = fc.oneof(
			digitsOf(9).map((rest) => ({ text: `89${rest}`, by: 'RU' })),
			digitsOf(9).map((rest) => ({ text: `9${rest}`, by: 'RU' })),
			digitsOf(9).map((rest) => ({ text: `+79${rest}`, by: 'DE' })),
			digitsOf(7).map((rest) => ({ text: `050${rest}`, by: 'UA' })),
			digitsOf(7).map((rest) => ({ text: `+37529${rest}`, by: 'RU' })),
			digitsOf(8).map((rest) => ({ text: `0151${rest}`, by: 'DE' })),
			digitsOf(6).map((rest) => ({ text: `2025${rest}`, by: 'US' })),
			digitsOf(7).map((rest) => ({ text: `701${rest}`, by: 'KZ' })),
		);
		const gaps = fc.array(fc.constantFrom('', '', '', ' ', '-', ' - ', '\u00a0', '\u2009', '–'), {
			minLength: 15,
			maxLength: 15,
		});
		fc.assert(
			fc.property(number, gaps, fc.nat(4), fc.nat(4), ({ text, by }, between, from, width) => {
				const spread = [...text].map((one, index) => {
					const open = index === from + 1 ? '(' : '';
					const close = index === from + 1 + width ? ')' : '';
					return between[index] + open + one + close;
				});
				const plain = toDigits(text, by);
				expect(plain.digits).toBeDefined();
				expect(toDigits(spread.join(''), by)).toEqual(plain);
			}),
			{ numRuns: 2_000 },
		);
	});
});

test('a megabyte of anything is refused at once', () => {
	const size = 1_000_000;
	const texts = ['8', ' ', '+', '(', '\u200b', "'", '7 ', '89123456789,', 'x', '9.', '😀'];
	// Whoever looks at every character evaluates an expression a million times.
	const evaluations = jest.spyOn(RegExp.prototype, 'test');
	const results = texts.map((text) => {
		const value = text.repeat(Math.ceil(size / text.length));
		return [toDigits(value, 'RU'), toDigits('89123456789', value)];
	});
	const count = evaluations.mock.calls.length;
	evaluations.mockRestore();
	for (const [number, country] of results) {
		expect(number).toEqual({ reason: 'is too long for a phone number' });
		expect(country?.reason).toMatch(/isn't a valid default country$/);
	}
	expect(count).toBeLessThan(10 * texts.length);
});

describe('the countries to choose from', () => {
	test('are many, Russia first, each once, each known', () => {
		expect(countries.length).toBeGreaterThanOrEqual(30);
		expect(countries[0]).toEqual({ name: 'Russia', value: 'RU' });
		expect(new Set(countries.map(({ value }) => value)).size).toBe(countries.length);
		expect(new Set(countries.map(({ name }) => name)).size).toBe(countries.length);
		expect(countries.filter(({ value }) => !isCountry(value))).toEqual([]);
	});
});
