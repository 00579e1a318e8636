/**
 * libphonenumber's numbering plans for the build and the tests, without their formatting rules: this package reads numbers and never writes them in
 * another form, and the rules are a third of the plans.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where an entry of a country, or of a calling code without a country, holds its formatting rules. */
const formats = 4;

type Plans = Record<string, unknown[]>;

interface Metadata {
	version: number;
	countries: Plans;
	nonGeographic: Plans;
	country_calling_codes: unknown;
}

const strip = (plans: Plans): Plans =>
	Object.fromEntries(
		Object.entries(plans).map(([key, plan]) => {
			if (plan[formats] !== 0 && !Array.isArray(plan[formats]))
				throw new Error(`The plan of ${key} is built in another way than expected.`);
			return [key, plan.map((part, index) => (index === formats ? 0 : part))];
		}),
	);

// Not imported: jest gives this file to whoever asks for that one.
const file = join(dirname(require.resolve('libphonenumber-js')), 'metadata.mobile.json');
// A file of the library; the checks here and in `strip` hold its layout.
const metadata = JSON.parse(readFileSync(file, 'utf8')) as Metadata;
// The places of the parts depend on it.
if (metadata.version !== 4)
	throw new Error(`Metadata of version ${metadata.version}: look at its layout first.`);

export default {
	...metadata,
	countries: strip(metadata.countries),
	nonGeographic: strip(metadata.nonGeographic),
};
