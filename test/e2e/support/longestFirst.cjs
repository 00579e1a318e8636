// The files that take longest begin first, so that no worker waits for the last one. By itself jest goes by size, until it has
// measured them once.
const { default: Sequencer } = require('@jest/test-sequencer');

const longest = [
	'samples',
	'editor',
	// Needs the folder dist, which tests of the demo remove: they begin a build and kill it.
	'install',
	'demo',
	'sendAndWait',
	'face',
	'operations',
	'trigger',
	'secrets',
	'triggerCrash',
	'bulk',
];

const placeOf = ({ path }) => {
	const place = longest.findIndex((name) => path.endsWith(`/${name}.test.cts`));
	return place === -1 ? longest.length : place;
};

module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		return super.sort(tests).sort((a, b) => placeOf(a) - placeOf(b));
	}
};
