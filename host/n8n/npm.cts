import { npmFailure, npmOptions, registryQuestion } from '../bootstrap.cjs';
import { runCommand } from '../process/commands.cts';
import { environmentWithNode24 } from '../process/node24.cts';
import { Problem } from '../process/problem.cts';

interface Work {
	cwd: string;
	/** Names the work in the message if it fails. */
	what: string;
}

export async function npm(args: string[], { cwd, what }: Work) {
	const { code, output } = await runCommand('npm', [...args, ...npmOptions], {
		cwd,
		env: environmentWithNode24(),
	});
	if (code !== 0) throw new Problem(npmFailure(output, what));
	return output;
}

/** Fails within seconds if the registry can't be reached. */
export async function requireRegistry(work: Work) {
	await npm(registryQuestion, work);
}
