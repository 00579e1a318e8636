import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

const shortestPassword = 12;

const problemOf = ({ login, password }: { login: string; password: string }) => {
	if (login === '') return 'Login is empty. Make one up, for example "callbacks".';
	if (login.includes(':'))
		return 'Login must not contain a colon: HTTP takes what follows it for the password.';
	if (password.length < shortestPassword) {
		return `Password is too short. Anybody may guess at it over the internet: use at least ${shortestPassword} characters.`;
	}
	return undefined;
};

/** Login and password for callbacks are made up by the user: what can be tested is that they can work and are not weak. */
export async function testCallbackCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const problem = problemOf({
		login: String(data?.login ?? ''),
		password: String(data?.password ?? ''),
	});
	return problem === undefined
		? { status: 'OK', message: 'Ready. Whoever calls back must present this login and password.' }
		: { status: 'Error', message: problem };
}
