import { npmFailure, npmOptions } from '../bootstrap.cjs';
import { runCommand } from '../process/commands.cts';
import { environmentWithNode24 } from '../process/node24.cts';
import { Problem } from '../process/problem.cts';

export interface NpmWork {
	cwd: string;
	/** Names the work in the message if it fails. */
	what: string;
}

export async function npm(args: string[], { cwd, what }: NpmWork) {
	const { code, output } = await runCommand('npm', [...args, ...npmOptions], {
		cwd,
		env: environmentWithNode24(),
	});
	if (code !== 0) throw new Problem(npmFailure(output, what));
	return output;
}
