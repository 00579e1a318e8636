import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type INodeCredentialTestResult,
} from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import { failedTest, toHttpRequest, tryEndpoint } from '../../../core/transport/credentialTest';
import type { ServiceError } from '../../../core/transport/outcome';
import { readAccessToken, tokenOf } from '../../../core/transport/logIn';
import { baseUrlProblem } from '../../../core/transport/request';

/** What the service accepted before it rejected the list of companies. */
type Accepted = 'login' | 'token';

const explanations: Readonly<Record<number, (accepted: Accepted) => string>> = {
	401: () =>
		"The service rejected the token. If you entered it in 'Access Token', enter a new one: a password change invalidates old tokens. Otherwise, check 'Base URL'.",
	403: (accepted) =>
		`The ${accepted} works, but it isn't allowed to read the partner's companies. Ask your provider to allow it.`,
	404: (accepted) =>
		`The ${accepted} works, but there is no company list at this URL. Check 'Base URL'.`,
};

const describeFailedLogIn = (error: ServiceError, accepted: Accepted): string => {
	const { status = 0, serviceText } = error.problem;
	const explanation = explanations[status]?.(accepted);
	if (explanation === undefined) return error.inOneText;
	return serviceText ? `${explanation} The service says: ${serviceText}` : explanation;
};

/** What is missing or can't be sent. */
const problemIn = ({ logInWith, accessToken, login, password }: ICredentialDataDecryptedObject) => {
	if (logInWith === 'accessToken') {
		// n8n's HTTP library would drop such a character, and the service would reject a token the user didn't enter.
		return /[^!-~]/.test(readAccessToken(accessToken))
			? "'Access Token' contains a character that can't be sent. Copy it again."
			: undefined;
	}
	if (!login) return "'Login' is empty";
	return password ? undefined : "'Password' is empty";
};

/** What a user can do something about. Anything else is a defect, and n8n reports it. */
const toUserError = async (error: unknown): Promise<UserError> =>
	error instanceof UserError ? error : await Promise.reject(error);

/**
 * Logs in and reads the first company. It always logs in, so it notices a changed password even while an old token still works.
 * A function of the node, because n8n before 2.41 replaces the texts of a test that a credential declares with its own ones.
 */
export async function testPartnerLogIn(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const baseUrl = String(data.baseUrl ?? '');
	const urlProblem = baseUrlProblem(baseUrl, 'partner');
	if (urlProblem !== undefined) return failedTest(`'Base URL' ${urlProblem}`);
	const problem = problemIn(data);
	if (problem !== undefined) return failedTest(problem);
	const httpRequest = toHttpRequest(this);
	const token = await tokenOf(httpRequest, data).catch(toUserError);
	if (typeof token !== 'string') return failedTest(token.message);
	const error = await tryEndpoint(httpRequest, partner.companyList, {
		baseUrl,
		authorization: `Bearer ${token}`,
		secrets: [token, String(data.password ?? '')],
		query: { page: 1, per_page: 1 },
	});
	return error === undefined
		? { status: 'OK', message: 'Connection successful!' }
		: failedTest(describeFailedLogIn(error, data.logInWith === 'accessToken' ? 'token' : 'login'));
}
