import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/** Deletes everything in a folder except its locks and the newest entries. */
export function keepNewest(folder: string, count: number) {
	const byAge = readdirSync(folder)
		.map((name) => path.join(folder, name))
		.filter((place) => !place.endsWith('.lock'))
		.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
	for (const place of byAge.slice(count)) rmSync(place, { recursive: true, force: true });
}
