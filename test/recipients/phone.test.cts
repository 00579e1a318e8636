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
	describe('Russian mobile numbers', () => {
		test.each<Row>([
			['89123456789', '79123456789'],
			['79123456789', '79123456789'],
			['+79123456789', '79123456789'],
			['9123456789', '79123456789'],
			['8 (912) 345-67-89', '79123456789'],
			['8(912)3456789', '79123456789'],
			['8-912-345-67-89', '79123456789'],
			['8 912 345 67 89', '79123456789'],
			['8.912.345.67.89', '79123456789'],
			['8/912/345-67-89', '79123456789'],
			['8 [912] 345 67 89', '79123456789'],
			['+7 912 345 67 89', '79123456789'],
			['+7(912)345-67-89', '79123456789'],
			['+7 (912) 345 - 67 - 89', '79123456789'],
			['(+7) 912 345-67-89', '79123456789'],
			['+ 7 912 345 67 89', '79123456789'],
			['++79123456789', '79123456789'],
			['7 912 345-67-89', '79123456789'],
			['912 345-67-89', '79123456789'],
			['(912) 345-67-89', '79123456789'],
			['  89123456789  ', '79123456789'],
			['89123456789.', '79123456789'],
			['89123456789;', '79123456789'],
			[', 89123456789,', '79123456789'],
			['89123456789\r\n', '79123456789'],
			['8\u00a0912\u00a0345\u00a067\u00a089', '79123456789'],
			['+7\u202f912\u2009345\u200a67\u300089', '79123456789'],
			['8\t912\t3456789', '79123456789'],
			['+7 912 345–67–89', '79123456789'],
			['+7 912 345—67−89', '79123456789'],
			['+7 912 345\u201167\u201089', '79123456789'],
			['\ufeff89123456789', '79123456789'],
			['\u202a+79123456789\u202c', '79123456789'],
			['+7\u200b912\u200b345\u200d67\u206089', '79123456789'],
			['8912\u00ad345\u00ad6789', '79123456789'],
			['＋７９１２３４５６７８９', '79123456789'],
			['８（９１２）３４５－６７－８９', '79123456789'],
			['+٧٩١٢٣٤٥٦٧٨٩', '79123456789'],
			['+۷۹۱۲۳۴۵۶۷۸۹', '79123456789'],
			["'+79123456789", '79123456789'],
			["'89123456789", '79123456789'],
			['’89123456789', '79123456789'],
			['"89123456789"', '79123456789'],
			['="+79123456789"', '79123456789'],
			['tel:+79123456789', '79123456789'],
			['TEL:+7-912-345-67-89', '79123456789'],
			['tel:8(912)345-67-89', '79123456789'],
			['tel://+79123456789', '79123456789'],
			['00 7 912 345 67 89', '79123456789'],
			['+007 912 345 67 89', "doesn't start with a known country code"],
			['810 7 912 345-67-89', '79123456789'],
			['8-10-7-912-345-67-89', '79123456789'],
			// Slips that leave no doubt: the 8 kept behind +7, the plus put before the 8. No country code begins with 89.
			['+7 8 912 345-67-89', '79123456789'],
			['+7 (8912) 345-67-89', '79123456789'],
			['+8 912 345-67-89', '79123456789'],
			// The library's patterns do not know this range; it is as long as a mobile number.
			['8 930 006-00-00', '79300060000'],
		])('%j is %s', expectRow('RU'));
	});

	describe('numbers as JSON and spreadsheets hold them', () => {
		test.each<Row>([
			[79123456789, '79123456789'],
			[89123456789, '79123456789'],
			[9123456789, '79123456789'],
			[7.9123456789e10, '79123456789'],
			[380501234567, needsPlus('Ukraine')],
			[79123456789n, otherType],
			['79123456789.0', '79123456789'],
			['79123456789,00', '79123456789'],
			// A spreadsheet shows six digits, and a number that ends in 0 looks the same as one cut short. So none of them is read.
			['7.9123456789E+10', lostDigits],
			['7,9123456789E+10', lostDigits],
			['7.9123456789e10', lostDigits],
			['3.80501234567E+11', lostDigits],
			['7.91235E+10', lostDigits],
			['7,91E+10', lostDigits],
			['7.912345678E+10', lostDigits],
			['7.91234567891E+10', lostDigits],
			['79,123,456,789', several],
			[79123456789.5, "isn't a phone number"],
			[-79123456789, "isn't a phone number"],
			[0, shortOf('Russia')],
			[NaN, "isn't a phone number"],
			[Infinity, "isn't a phone number"],
			[-Infinity, "isn't a phone number"],
			[1e21, "isn't a phone number"],
		])('%p is %s', expectRow('RU'));
	});

	describe('Russian landlines and freephone numbers', () => {
		test.each<Row>([
			['8 (495) 123-45-67', '74951234567'],
			['+7 495 123-45-67', '74951234567'],
			['74951234567', '74951234567'],
			['495 123-45-67', '74951234567'],
			['8 (812) 345-67-89', '78123456789'],
			['+7 812 345 67 89', '78123456789'],
			['8 (34377) 2-12-34', '73437721234'],
			['8-800-555-35-35', '78005553535'],
			// A new area code would look like this; nobody abroad has such a number.
			['8 (512) 345-67-89', '75123456789'],
		])('%j is %s', expectRow('RU'));
	});

	describe('Kazakhstan shares +7', () => {
		test.each<Row>([
			['+7 701 123 45 67', '77011234567'],
			['77011234567', '77011234567'],
			['8 (701) 123-45-67', '77011234567'],
			['87011234567', '77011234567'],
			['+7 7172 12-34-56', '77172123456'],
			// Kazakh without +7, or Russian with a digit missing: who knows.
			['7011234567', lacks('+7')],
		])('%j is %s', expectRow('RU'));
	});

	describe('other countries, with the plus or an international prefix', () => {
		test.each<Row>([
			['+375 29 123-45-67', '375291234567'],
			['+375 (17) 212-34-56', '375172123456'],
			['+380 50 123 45 67', '380501234567'],
			['+38 (050) 123-45-67', '380501234567'],
			['810 380 50 123 45 67', '380501234567'],
			['00380501234567', '380501234567'],
			['+998 90 123-45-67', '998901234567'],
			['+374 91 12-34-56', '37491123456'],
			['+996 555 123 456', '996555123456'],
			['+994 50 123 45 67', '994501234567'],
			['+995 555 12 34 56', '995555123456'],
			['+992 90 123 4567', '992901234567'],
			['+373 69 123 456', '37369123456'],
			['+49 151 12345678', '4915112345678'],
			['+49 (0)151 12345678', '4915112345678'],
			['+49 30/123456', '4930123456'],
			['+43 5572/123456', '435572123456'],
			['+44 7911 123456', '447911123456'],
			['+44 (0)20 7946 0958', '442079460958'],
			['+1 (202) 555-0123', '12025550123'],
			['+1 416 555 0123', '14165550123'],
			['+90 532 123 45 67', '905321234567'],
			['+971 50 123 4567', '971501234567'],
			['+86 138 1234 5678', '8613812345678'],
			['+91 98765 43210', '919876543210'],
			['+972 54-123-4567', '972541234567'],
			['+39 06 6982 4600', '390669824600'],
			['+81 90-1234-5678', '819012345678'],
			['+81 3-1234-5678', '81312345678'],
			['+82 10-1234-5678', '821012345678'],
			['+84 91 234 56 78', '84912345678'],
			['+48 501 234 567', '48501234567'],
			['+33 6 12 34 56 78', '33612345678'],
			['+800 1234 5678', '80012345678'],
			// Unknown to the library's patterns, as long as a mobile number there: patterns grow old.
			['+972 50 123 4567', '972501234567'],
			['+375 31 123-45-67', '375311234567'],
		])('%j is %s', expectRow('RU'));
	});

	describe('other countries without the plus: a guess could reach a stranger', () => {
		test.each<Row>([
			['380501234567', needsPlus('Ukraine')],
			['38 (050) 123-45-67', needsPlus('Ukraine')],
			['375 29 123-45-67', needsPlus('Belarus')],
			['998901234567', needsPlus('Uzbekistan')],
			['37491123456', needsPlus('Armenia')],
			['996555123456', needsPlus('Kyrgyzstan')],
			['4915112345678', needsPlus('Germany')],
			['447911123456', needsPlus('the United Kingdom')],
			['12025550123', needsPlus('the United States')],
			['905321234567', needsPlus('Turkey')],
			['971501234567', needsPlus('the United Arab Emirates')],
			['8613812345678', needsPlus('China')],
			['919876543210', needsPlus('India')],
			['972522345678', needsPlus('Israel')],
			['819012345678', needsPlus('Japan')],
			['821012345678', needsPlus('South Korea')],
			['972501234567', needsPlus('Israel')],
			['442079460958', needsPlus('the United Kingdom')],
			['390669824600', needsPlus('Italy')],
			['8109012345678', shortOf('Turkey')],
			['38050123456', noneOf('Russia')],
			['6581234567', needsPlus('Singapore')],
			['4791234567', needsPlus('Norway')],
			['2025550123', noneOf('Russia')],
			['0501234567', noneOf('Russia')],
			['5123456789', noneOf('Russia')],
			['380/501234567', needsPlus('Ukraine')],
		])('%j is %s', expectRow('RU'));
	});

	// Without the plus, 8 and ten digits are Russian if Russia knows the area code: 84912345678 is Ryazan, though it could
	// be Vietnam. If it does not, and another country does know the number, nobody gets it.
	describe('the leading 8', () => {
		test.each<Row>([
			['84912345678', '74912345678'],
			['8 (843) 123-45-67', '78431234567'],
			['85291234567', needsPlus('Hong Kong')],
			['82212345678', needsPlus('South Korea')],
			['81312345678', needsPlus('Japan')],
			['8 (029) 123-45-67', noneOf('Russia')],
			['80501234567', noneOf('Russia')],
			['+8 800 555-35-35', plusBeforeEight('Russia')],
			['+8 383 123-45-67', plusBeforeEight('Russia')],
			// A mobile number of Vietnam only with a separator behind its code.
			['+8 (495) 123-45-67', plusBeforeEight('Russia')],
			['+8-495-123-45-67', plusBeforeEight('Russia')],
			['+8(4912)345678', plusBeforeEight('Russia')],
			['+84951234567', plusBeforeEight('Russia')],
			['+849 512 345-67', plusBeforeEight('Russia')],
			['+84 951234567', '84951234567'],
			['+84-95-123-45-67', '84951234567'],
			['+8 701 123-45-67', plusBeforeEight('Kazakhstan')],
			['+8 529 123-45-67', "doesn't start with a known country code"],
			['+852 9123-4567', '85291234567'],
			['0084951234567', plusBeforeEight('Russia')],
		])('%j is %s', expectRow('RU'));

		test.each<[country: string, ...Row]>([
			['KZ', '+8 (495) 123-45-67', plusBeforeEight('Russia')],
			['KZ', '+84951234567', plusBeforeEight('Russia')],
			['DE', '+8 (495) 123-45-67', "doesn't start with a known country code"],
			['DE', '+84951234567', '84951234567'],
		])('%s: %j is %s', (country, written, expected) => expectRow(country)(written, expected));
	});

	describe('a Russian number with a digit too many, though another country has such a mobile number', () => {
		test.each<Row>([
			['96891234567', needsPlus('a country with the code +968')],
			['99365123456', needsPlus('Turkmenistan')],
			['97433123456', needsPlus('a country with the code +974')],
			[96891234567, needsPlus('a country with the code +968')],
			// Before it.
			['19165550123', needsPlus('the United States')],
			['989123456789', needsPlus('Iran')],
			// Behind a landline of Sevastopol.
			['886912345678', needsPlus('Taiwan')],
			['+968 9123 4567', '96891234567'],
			['+98 912 345 6789', '989123456789'],
			['992901234567', needsPlus('Tajikistan')],
			['994501234567', needsPlus('Azerbaijan')],
			['995555123456', needsPlus('Georgia')],
			['37369123456', needsPlus('Moldova')],
			['48501234567', needsPlus('Poland')],
		])('%j: %s', expectRow('RU'));
	});

	describe('digits that would vanish or come from nowhere', () => {
		test.each<Row>([
			['+86 113 8280 24439', longOf('China')],
			['+54 11 15 1234 5678', longOf('Argentina')],
			['+44 07911 123456', 'has a 0 after +44. Remove it, or check the number'],
			['+49 0151 12345678', 'has a 0 after +49. Remove it, or check the number'],
			['+49 1(0)51 12345678', '4910511234567' + '8'],
		])('%j: %s', expectRow('RU'));

		test.each<[country: string, ...Row]>([
			['CN', '113 8280 24439', noneOf('China')],
			['AR', '011 15 1234-5678', noneOf('Argentina')],
			['DE', '+7 8 912 345-67-89', longOf('Russia')],
			['GB', '+44 07911 123456', '447911123456'],
			['DE', '0049 0151 12345678', '4915112345678'],
			['RU', '0049 0151 12345678', 'has a 0 after +49. Remove it, or check the number'],
		])('%s: %j is %s', (country, written, expected) => expectRow(country)(written, expected));
	});

	describe('a digit too few or too many', () => {
		test.each<Row>([
			['+7 912', shortOf('Russia')],
			['+7 912 345-67-8', shortOf('Russia')],
			['+7 912 345-67-890', longOf('Russia')],
			['8912345678', lacks('+7')],
			['7912345678', lacks('+7')],
			['8123456789', lacks('+7')],
			['912345678', shortOf('Russia')],
			['891234567890', longOf('Russia')],
			['791234567890', longOf('Russia')],
			['345-67-89', shortOf('Russia')],
			['112', shortOf('Russia')],
			['5', shortOf('Russia')],
			['+7', 'is too short for a phone number'],
			['+', 'contains no digits'],
			// Fourteen digits after +7 exist, for machines; here they are a landline and its extension.
			['+7 812 345-67-89 1234', longOf('Russia')],
			['+7 012 345-67-89', 'has a 0 after +7. Remove it, or check the number'],
			['+375 29 123-45', shortOf('Belarus')],
			['+380 50 123 45 6', shortOf('Ukraine')],
			['+380 50 123 45 678', longOf('Ukraine')],
			['+90 532 123 45 6', shortOf('Turkey')],
			['+972 54 123 456', shortOf('Israel')],
			['+998 90 123 45 6', shortOf('Uzbekistan')],
			['+1 202 555 012', shortOf('North America')],
			['+1 102 555 0123', noneOf('North America')],
			['+49 1234', shortOf('Germany')],
			['+999 123 456 789', "doesn't start with a known country code"],
			['+0 912 345 67 89', "doesn't start with a known country code"],
			['1234567890123456', longOf('Russia')],
			['+1234567890123456', tooManyDigits],
			['00000000000', "doesn't start with a known country code"],
		])('%j: %s', expectRow('RU'));
	});

	describe('extensions', () => {
		test.each<Row>([
			['+7 495 123-45-67 доб. 123', letters],
			['8 (495) 123-45-67, доб.12', letters],
			['8 495 1234567 вн 5', letters],
			['84951234567 (добавочный 123)', letters],
			['+7 495 123-45-67 ext. 123', letters],
			['+74951234567x123', letters],
			['+74951234567 Х 12', letters],
			['+74951234567#123', 'contains "#", which doesn\'t belong in a phone number'],
			['+74951234567,123', several],
			['+74951234567,,12', several],
			['+7 495 123-45-67 (123)', several],
			['tel:+74951234567;ext=123', letters],
		])('%j: %s', expectRow('RU'));
	});

	describe('more than one number', () => {
		test.each<Row>([
			['89123456789, 89131234567', several],
			['89123456789,89131234567', several],
			['89123456789; 89131234567', several],
			['89123456789 | 89131234567', several],
			['89123456789\n89131234567', several],
			['89123456789 / 89131234567', several],
			['89123456789/90', several],
			['+79123456789 +79131234567', several],
			['8 912 345-67-89 89131234567', tooManyDigits],
			['22-33-44 / 22-33-45', longOf('Russia')],
		])('%j: %s', expectRow('RU'));
	});

	describe('no number at all', () => {
		test.each<Row>([
			['', 'is empty'],
			['   ', 'is empty'],
			['\u200b\u00a0\ufeff', 'is empty'],
			["'", 'is empty'],
			['tel:', 'is empty'],
			[null, 'is empty'],
			[undefined, 'is empty'],
			['-', 'contains no digits'],
			['()', 'contains no digits'],
			['нет', letters],
			['Иван 89123456789', letters],
			['тел. 8 912 345-67-89', letters],
			['8912345б789', letters],
			['8O123456789', letters],
			['1-800-FLOWERS', letters],
			['user@example.com', letters],
			['*100#', 'contains "*", which doesn\'t belong in a phone number'],
			['№ 89123456789', 'contains "№", which doesn\'t belong in a phone number'],
			['📞 89123456789', 'contains "📞", which doesn\'t belong in a phone number'],
			['8_912_345_67_89', 'contains "_", which doesn\'t belong in a phone number'],
			['8912345678²', 'contains "²", which doesn\'t belong in a phone number'],
			['8912\u00003456789', "contains a character, which doesn't belong in a phone number"],
			[true, otherType],
			[false, otherType],
			[{}, otherType],
			[{ phone: '89123456789' }, otherType],
			[['89123456789'], otherType],
			[new Date(0), otherType],
			[Symbol('8'), otherType],
			[() => '89123456789', otherType],
			['8'.repeat(201), 'is too long for a phone number'],
		])('%p: %s', expectRow('RU'));
	});
});

describe('Germany by default', () => {
	test.each<Row>([
		['0151 12345678', '4915112345678'],
		['0151/12345678', '4915112345678'],
		['4915112345678', '4915112345678'],
		['0049 151 12345678', '4915112345678'],
		['+49 151 12345678', '4915112345678'],
		// A spreadsheet ate the 0.
		[15112345678, '4915112345678'],
		['030 123456', '4930123456'],
		['(030) 123456-12', '493012345612'],
		['4930123456', '4930123456'],
		['0043 660 1234567', '436601234567'],
		['+7 912 345-67-89', '79123456789'],
		['380501234567', needsPlus('Ukraine')],
		// 04921 is Emden, and 49 21… may be a number with the country's code.
		['4921123456', 'can be read in two ways. Write it with + and the country code'],
		['79123456789', needsPlus('Russia')],
		['89123456789', lacks('+49')],
		['3012345678', lacks('+49')],
		['123456', lacks('+49')],
		['030 1234567/68', several],
	])('%j is %s', expectRow('DE'));
});

describe('Kazakhstan by default', () => {
	test.each<Row>([
		['8 701 123 45 67', '77011234567'],
		['7011234567', '77011234567'],
		['77011234567', '77011234567'],
		['+7 (701) 123-45-67', '77011234567'],
		['8 (7172) 12-34-56', '77172123456'],
		['7172 12-34-56', lacks('+7')],
		['89123456789', '79123456789'],
		['9123456789', '79123456789'],
		['810 998 90 123 45 67', '998901234567'],
		['998901234567', needsPlus('Uzbekistan')],
		// A Russian number with a digit missing, and a Kazakh one.
		['7912345678', lacks('+7')],
		['8701123456', lacks('+7')],
	])('%j is %s', expectRow('KZ'));
});

describe('the United States by default', () => {
	test.each<Row>([
		['(202) 555-0123', '12025550123'],
		['202-555-0123', '12025550123'],
		['1-202-555-0123', '12025550123'],
		['12025550123', '12025550123'],
		[2025550123, '12025550123'],
		['+1.202.555.0123', '12025550123'],
		['416 555 0123', '14165550123'],
		['011 7 912 345 67 89', '79123456789'],
		['00 7 912 345 67 89', '79123456789'],
		['79123456789', needsPlus('Russia')],
		['9123456789', '19123456789'],
		['89123456789', noneOf('the United States')],
		['1234567890', noneOf('the United States')],
		['555-0123', shortOf('the United States')],
		['202-555-0123 x5', letters],
	])('%j is %s', expectRow('US'));
});

describe('further countries by default', () => {
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
	])('%s: %j is %s', (country, written, expected) => expectRow(country)(written, expected));
});

describe('without a known default country', () => {
	test.each<Row>([
		['+7 912 345-67-89', '79123456789'],
		['007 912 345-67-89', 'has no country code, and "" isn\'t a valid default country'],
		['+8 912 345-67-89', "doesn't start with a known country code"],
		['89123456789', 'has no country code, and "" isn\'t a valid default country'],
		['380501234567', 'has no country code, and "" isn\'t a valid default country'],
	])('%j is %s', expectRow(''));

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
		const codes = [
			'1',
			'7',
			'39',
			'44',
			'49',
			'52',
			'54',
			'55',
			'57',
			'61',
			'81',
			'82',
			'84',
			'86',
		];
		const others = ['375', '378', '380', '598', '852', '880', '886', '976', '998'];
		const code = fc.oneof(fc.constantFrom(...codes, ...others), digitsOf(1, 3));
		const before = fc.oneof(fc.constant(''), fc.constantFrom('0', '8', '80', '9', '15', '113'));
		const rest = fc
			.tuple(code, before, digitsOf(4, 13), fc.constantFrom('', ' ', '-', ' ('))
			.map(([first, second, third, gap]) => `${first}${gap}${second}${third}`)
			.filter((text) => !/^0\D*0/.test(text));
		/** The slips that leave no doubt: what calls within the default country begin with, behind its code. */
		const homeCodes: Record<string, string> = {
			RU: '7',
			KZ: '7',
			BY: '375',
			DE: '49',
			AT: '43',
			GB: '44',
		};
		Object.assign(homeCodes, { US: '1', IT: '39', BR: '55', AR: '54' });
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
