import { temporaryFolder } from '../../../host/process/temporaryFolder.cts';
import { prepareSeed } from '../../e2e/support/prepare.cts';

export const results = temporaryFolder();

/** As for the end-to-end tests, and a place for what the tests count. */
export default async function prepare() {
	process.env.TEST_COUNTS = results.folder;
	await prepareSeed();
}
