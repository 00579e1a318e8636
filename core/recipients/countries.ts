import { callingCodeOf } from '../../vendor/phone';
import type { CountryCode } from '../../vendor/phone';

/** The countries offered as default: Russia, its neighbors, then the rest by name. */
export const countries: ReadonlyArray<{ name: string; value: CountryCode }> = [
	{ name: 'Russia', value: 'RU' },
	{ name: 'Armenia', value: 'AM' },
	{ name: 'Azerbaijan', value: 'AZ' },
	{ name: 'Belarus', value: 'BY' },
	{ name: 'Georgia', value: 'GE' },
	{ name: 'Kazakhstan', value: 'KZ' },
	{ name: 'Kyrgyzstan', value: 'KG' },
	{ name: 'Moldova', value: 'MD' },
	{ name: 'Tajikistan', value: 'TJ' },
	{ name: 'Turkmenistan', value: 'TM' },
	{ name: 'Ukraine', value: 'UA' },
	{ name: 'Uzbekistan', value: 'UZ' },
	{ name: 'Argentina', value: 'AR' },
	{ name: 'Australia', value: 'AU' },
	{ name: 'Austria', value: 'AT' },
	{ name: 'Belgium', value: 'BE' },
	{ name: 'Brazil', value: 'BR' },
	{ name: 'Bulgaria', value: 'BG' },
	{ name: 'Canada', value: 'CA' },
	{ name: 'China', value: 'CN' },
	{ name: 'Cyprus', value: 'CY' },
	{ name: 'Czechia', value: 'CZ' },
	{ name: 'Denmark', value: 'DK' },
	{ name: 'Egypt', value: 'EG' },
	{ name: 'Estonia', value: 'EE' },
	{ name: 'Finland', value: 'FI' },
	{ name: 'France', value: 'FR' },
	{ name: 'Germany', value: 'DE' },
	{ name: 'Greece', value: 'GR' },
	{ name: 'Hong Kong', value: 'HK' },
	{ name: 'Hungary', value: 'HU' },
	{ name: 'India', value: 'IN' },
	{ name: 'Indonesia', value: 'ID' },
	{ name: 'Iran', value: 'IR' },
	{ name: 'Ireland', value: 'IE' },
	{ name: 'Israel', value: 'IL' },
	{ name: 'Italy', value: 'IT' },
	{ name: 'Japan', value: 'JP' },
	{ name: 'Latvia', value: 'LV' },
	{ name: 'Lithuania', value: 'LT' },
	{ name: 'Malaysia', value: 'MY' },
	{ name: 'Mexico', value: 'MX' },
	{ name: 'Mongolia', value: 'MN' },
	{ name: 'Montenegro', value: 'ME' },
	{ name: 'Netherlands', value: 'NL' },
	{ name: 'Norway', value: 'NO' },
	{ name: 'Pakistan', value: 'PK' },
	{ name: 'Poland', value: 'PL' },
	{ name: 'Portugal', value: 'PT' },
	{ name: 'Romania', value: 'RO' },
	{ name: 'Saudi Arabia', value: 'SA' },
	{ name: 'Serbia', value: 'RS' },
	{ name: 'Singapore', value: 'SG' },
	{ name: 'Slovakia', value: 'SK' },
	{ name: 'South Korea', value: 'KR' },
	{ name: 'Spain', value: 'ES' },
	{ name: 'Sweden', value: 'SE' },
	{ name: 'Switzerland', value: 'CH' },
	{ name: 'Taiwan', value: 'TW' },
	{ name: 'Thailand', value: 'TH' },
	{ name: 'Turkey', value: 'TR' },
	{ name: 'United Arab Emirates', value: 'AE' },
	{ name: 'United Kingdom', value: 'GB' },
	{ name: 'United States', value: 'US' },
	{ name: 'Vietnam', value: 'VN' },
];

const inText = (name: string) => (/^(?:United|Netherlands)/.test(name) ? `the ${name}` : name);

const namesByCountry = new Map<string, string>(
	countries.map(({ name, value }) => [value, inText(name)]),
);

const namesByCallingCode = new Map<string, string>([
	...countries
		.map(({ name, value }) => [callingCodeOf(value), inText(name)] as const)
		// If countries share a code, the last entry wins. Russia is first in the list, so the order is reversed.
		.reverse(),
	['1', 'North America'],
]);

/** The name for use in a sentence, if the country is in the list. */
export const nameOfCountry = (country: string): string | undefined => namesByCountry.get(country);

/** The country that has most of the numbers with this code, if it is in the list. */
export const nameOfCallingCode = (code: string): string | undefined => namesByCallingCode.get(code);
