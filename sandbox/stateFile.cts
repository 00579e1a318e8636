import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The snapshot on disk. Written beside the file and renamed, so that a crash never leaves half of it. */
export const stateFile = (path: string, log: (line: string) => void) => {
	let failed = false;
	return {
		/** What was saved; undefined when there is nothing yet. Throws with one sentence when it cannot be read. */
		read(): Buffer | undefined {
			try {
				return readFileSync(path);
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
				throw new Error(`The state file ${path} cannot be read: ${reasonOf(error)}.`);
			}
		},
		/** Says once that saving does not work, and once that it works again; the sandbox goes on either way. */
		write(bytes: Uint8Array): boolean {
			const draft = `${path}.tmp`;
			try {
				writeFileSync(draft, bytes);
				renameSync(draft, path);
				if (failed) log(`The state is saved to ${path} again.`);
				failed = false;
				return true;
			} catch (error) {
				if (!failed)
					log(`The state cannot be saved to ${path}: ${reasonOf(error)}. The sandbox goes on.`);
				failed = true;
				try {
					rmSync(draft, { force: true });
				} catch {
					// The sentence above has said it.
				}
				return false;
			}
		},
	};
};
