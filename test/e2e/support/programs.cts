import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../../../host/process/temporaryFolder.cts';
import { undoAfterwards } from './cleanup.cts';

/** A PATH with these programs only, as on a machine that has no others. */
export function onlyPrograms(...names: string[]) {
	const { folder, remove } = temporaryFolder();
	undoAfterwards(remove);
	const folders = (process.env.PATH ?? '').split(path.delimiter);
	for (const name of names) {
		const found = folders.map((place) => path.join(place, name)).find((file) => existsSync(file));
		if (found === undefined) throw new Error(`This machine has no ${name}.`);
		symlinkSync(found, path.join(folder, name));
	}
	return folder;
}
