import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The snapshot on disk. Written beside the file and renamed, so that a crash never leaves half of it. */
export const stateFile = (path: string, log: (line: string) => void) => {
	let failed = false;
	return {
		/** The saved text; undefined when there is none yet. Throws with one sentence when it cannot be read. */
		read(): string | undefined {
			try {
				return readFileSync(path, 'utf8');
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
				throw new Error(`The state file ${path} cannot be read: ${reasonOf(error)}.`);
			}
		},
		/** Says once that saving does not work, and once that it works again; the sandbox goes on either way. */
		write(text: string): boolean {
			const draft = `${path}.tmp`;
			try {
				writeFileSync(draft, text);
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
