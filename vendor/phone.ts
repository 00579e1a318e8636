// The only file of the package that names libphonenumber-js: `npm run build` bundles it into dist, so the package has no dependencies.
// Of its sets of metadata this is the one that tells a mobile number from any other: `min` cannot, `max` costs 15 KB more
// of the tarball to tell apart kinds that no message reaches.
import {
	Metadata,
	getCountryCallingCode,
	isSupportedCountry,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/core';
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/core';
// `libphonenumber-js/mobile` binds the same two, but its CommonJS build has no `Metadata`.
import metadata from 'libphonenumber-js/metadata.mobile.json';

export type { CountryCode, PhoneNumber };

/** What is known of the national numbers of a country. */
interface Plan {
	/** All kinds of them. */
	pattern: RegExp;
	/** Absent where there is no such thing as a mobile number. */
	mobilePattern?: RegExp;
	mobileLengths: readonly number[];
	/** What calls within the country begin with, such as 0 or 8. */
	trunkPrefix?: string;
	/** What calls to other countries begin with, such as 00 or 810. Absent where it isn't one, or where 00 is only the start of it. */
	internationalPrefix?: string;
}

/** The part of the library's numbering plan that its type declarations leave out. */
interface FullPlan {
	nationalNumberPattern(): string;
	possibleLengths(): number[];
	/** 0 where there is none. */
	nationalPrefix(): string | 0 | undefined;
	IDDPrefix(): string | undefined;
	type(name: 'MOBILE'): { pattern(): string; possibleLengths(): number[] } | undefined;
}

const plans = new Map<string, Plan>();
const entirely = (pattern: string) => new RegExp(`^(?:${pattern})$`);

/** By the ISO code of a country or by a calling code. The key must come from the library: it throws at others. */
export const planOf = (key: string): Plan => {
	const ready = plans.get(key);
	if (ready) return ready;
	const selected = new Metadata(metadata);
	selected.selectNumberingPlan(key as CountryCode);
	const full = selected.numberingPlan as unknown as FullPlan;
	const mobile = full.type('MOBILE');
	const abroad = full.IDDPrefix();
	const plan: Plan = {
		pattern: entirely(full.nationalNumberPattern()),
		mobilePattern: mobile && entirely(mobile.pattern()),
		mobileLengths: mobile?.possibleLengths() ?? full.possibleLengths(),
		trunkPrefix: full.nationalPrefix() || undefined,
		internationalPrefix: abroad !== undefined && /^(?!00.)\d+$/.test(abroad) ? abroad : undefined,
	};
	plans.set(key, plan);
	return plan;
};

export const isCountry = (code: string): code is CountryCode =>
	isSupportedCountry(code as CountryCode, metadata);

export const callingCodeOf = (country: CountryCode): string =>
	getCountryCallingCode(country, metadata);

/** Reads digits, or `+` and digits. The country decides how a number without `+` is read. */
export const parsePhone = (text: string, defaultCountry?: CountryCode): PhoneNumber | undefined =>
	parsePhoneNumberFromString(text, { defaultCountry, extract: false }, metadata);
