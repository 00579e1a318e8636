import {
	UserError,
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type INodeCredentialTestResult,
} from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import { toHttpRequest, tryEndpoint } from '../../../core/transport/credentialTest';
import type { ServiceError } from '../../../core/transport/errors';
import { tokenOf } from '../../../core/transport/logIn';
import { baseUrlProblem } from '../../../core/transport/url';

const explanations: Readonly<Record<number, string>> = {
	401: "The service rejected the token. If you entered it in 'Access Token', enter a new one: a password change invalidates old tokens. Otherwise, check 'Base URL'.",
	403: "The login works, but it isn't allowed to read the partner's companies. Ask your provider to allow it.",
	404: "The login works, but there is no company list at this URL. Check 'Base URL'.",
};

const failed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

const describeFailedTest = ({ problem: { status = 0 }, inOneText }: ServiceError): string =>
	explanations[status] ?? inOneText;

/**
 * Logs in and reads the first company. It always logs in, so it notices a changed password even while an old token still works.
 * A function of the node, because n8n before 2.41 replaces the texts of a test that a credential declares with its own ones.
 */
export async function testPartnerLogIn(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const baseUrl = String(data.baseUrl ?? '');
	const problem = baseUrlProblem(baseUrl, 'partner');
	if (problem !== undefined) return failed(`'Base URL' ${problem}`);
	const httpRequest = toHttpRequest(this.helpers.request);
	try {
		const token = await tokenOf(httpRequest, data);
		const error = await tryEndpoint(httpRequest, partner.companyList, {
			baseUrl,
			authorization: `Bearer ${token}`,
			secrets: [token, String(data.password ?? '')],
			query: { page: 1, per_page: 1 },
		});
		return error === undefined
			? { status: 'OK', message: 'Connection successful!' }
			: failed(describeFailedTest(error));
	} catch (error) {
		if (error instanceof UserError) return failed(error.message);
		throw error;
	}
}
