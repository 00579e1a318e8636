// Checks before a release that the README's pictures show the nodes as they are now.
import { current, taken } from '../test/support/pictures.cts';

const before = taken();
const outdated = Object.keys(current).filter((name) => current[name] !== before[name]);
if (outdated.length === 0) {
	console.log(`Pictures: ${Object.keys(current).length}, all of the nodes as they are now`);
} else {
	console.error(
		`The README's pictures show older nodes: ${outdated.join(', ')}. Take them again: npm run screenshots`,
	);
	process.exitCode = 1;
}
