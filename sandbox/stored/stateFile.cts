import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The snapshot on disk. It is written to a second file and renamed, so that a crash never leaves half a file. */
export const stateFile = (path: string, log: (line: string) => void) => {
	let failed = false;
	return {
		/** The saved snapshot, or `undefined` if there is none yet. Throws an error if it can't be read. */
		read(): Buffer | undefined {
			try {
				return readFileSync(path);
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
				throw new Error(`The state file ${path} can't be read: ${reasonOf(error)}.`);
			}
		},
		/** Logs once when saving fails, and once when it works again. The sandbox continues either way. */
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
					log(
						`The state can't be saved to ${path}: ${reasonOf(error)}. The sandbox continues without saving.`,
					);
				failed = true;
				try {
					rmSync(draft, { force: true });
				} catch {
					// The message above has reported it.
				}
				return false;
			}
		},
	};
};
