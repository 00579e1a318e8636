/**
 * libphonenumber's numbering plans for the build and the tests, without their formatting rules: they are a third of the plans,
 * and this package only reads numbers.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The position of the formatting rules in the entry of a country, or of a calling code without a country. */
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
				throw new Error(`The plan of ${key} has an unexpected layout.`);
			return [key, plan.map((part, index) => (index === formats ? 0 : part))];
		}),
	);

// Not imported, because jest replaces imports of that file with this one.
const file = join(dirname(require.resolve('libphonenumber-js')), 'metadata.mobile.json');
// A file of the library. The checks here and in `strip` verify its layout.
const metadata = JSON.parse(readFileSync(file, 'utf8')) as Metadata;
// The positions of the parts depend on the version.
if (metadata.version !== 4)
	throw new Error(`Metadata of version ${metadata.version}: check its layout first.`);

export default {
	...metadata,
	countries: strip(metadata.countries),
	nonGeographic: strip(metadata.nonGeographic),
};
