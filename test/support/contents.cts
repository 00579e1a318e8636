import { types } from 'node:util';
import { deserialize } from 'node:v8';

interface Snapshots {
	snapshot(): Uint8Array;
}

/** Everything the sandbox holds, as text: equal texts mean that nothing changed. */
export const contentsOf = (sandbox: Snapshots, without: readonly string[] = []): string =>
	JSON.stringify(deserialize(sandbox.snapshot()), (name, value: unknown) => {
		if (without.includes(name)) return undefined;
		// Made by Node itself, so it's no instance of the classes a test knows.
		return types.isMap(value) || types.isSet(value) ? [...value] : value;
	});
