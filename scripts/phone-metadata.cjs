// @ts-check
/**
 * libphonenumber's numbering plans for the build and the tests, without their formatting rules: this package reads numbers and never writes them in
 * another form, and the rules are a third of the plans.
 */

const fs = require('node:fs');
const path = require('node:path');

/** Where an entry of a country, or of a calling code without a country, holds its formatting rules. */
const formats = 4;

/** @typedef {Record<string, unknown[]>} Plans */
/** @typedef {{ version: number, countries: Plans, nonGeographic: Plans, country_calling_codes: unknown }} Metadata */

/** @param {Plans} plans */
const strip = (plans) =>
	Object.fromEntries(
		Object.entries(plans).map(([key, plan]) => {
			if (plan[formats] !== 0 && !Array.isArray(plan[formats]))
				throw new Error(`The plan of ${key} is built in another way than expected.`);
			return [key, plan.map((part, index) => (index === formats ? 0 : part))];
		}),
	);

const file = path.join(path.dirname(require.resolve('libphonenumber-js')), 'metadata.mobile.json');
/** @type {Metadata} */
const metadata = JSON.parse(fs.readFileSync(file, 'utf8'));
// The places of the parts depend on it.
if (metadata.version !== 4)
	throw new Error(`Metadata of version ${metadata.version}: look at its layout first.`);

module.exports = {
	...metadata,
	countries: strip(metadata.countries),
	nonGeographic: strip(metadata.nonGeographic),
};
