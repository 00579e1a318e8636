import { environmentWithNode24, npmFailure, npmOptions } from '../process/node24.cjs';
import { runCommand } from '../process/commands.cts';
import { Problem } from '../process/problem.cts';

export interface NpmWork {
	cwd: string;
	/** Names the work in the message if it fails. */
	what: string;
	/** How long it may take to stop before it is killed. */
	graceSeconds?: number;
}

export async function npm(args: string[], { cwd, what, graceSeconds }: NpmWork) {
	const { code, output } = await runCommand('npm', [...args, ...npmOptions], {
		cwd,
		env: environmentWithNode24(),
		graceSeconds,
	});
	if (code !== 0) throw new Problem(npmFailure(output, what));
	return output;
}
