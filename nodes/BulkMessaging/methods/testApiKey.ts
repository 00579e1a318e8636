import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { keySchemeOf, otherScheme, tryKey } from '../../../core/transport/apiKey';
import type { ServiceError } from '../../../core/transport/errors';
import { whyKeyIsRejected } from '../../../core/transport/explain';
import { baseUrlProblem } from '../../../core/transport/url';

const failed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

const ipNotAllowed = 4013;

/** Whether the key may work in the other scheme. Where the service names the IP address as the reason, it can't. */
const isRejected = ({ problem: { status, code } }: ServiceError): boolean =>
	status === 401 && code !== ipNotAllowed;

/** Below the window of the credential, this text is all that is shown. */
const describeFailedTest = (error: ServiceError): string => {
	const { status } = error.problem;
	if (status === 403) {
		return "This API Key has a type that can't read the balance, which is how it is tested. Check in your account on the provider's website what it is for.";
	}
	if (status === 404)
		return 'The service has nothing at this URL. Check Base URL: it ends with /api/v1.';
	return error.inOneText;
};

const explainBoth = ({ problem: { code, serviceText } }: ServiceError): string => {
	const reasons = [
		`The service didn't accept the API Key, neither as Bearer nor as Basic. ${whyKeyIsRejected}`,
	];
	if (code === undefined) {
		reasons.push(
			"It is also possible that the key is limited to a list of IP addresses and this n8n's isn't on it.",
		);
	}
	if (serviceText) reasons.push(`The service says: ${serviceText}`);
	return reasons.join(' ');
};

/**
 * Tests the key in the scheme that is chosen. Which scheme a key needs isn't published, so a rejected key is tried in the other
 * one too: the user learns which one works. It is never switched silently, because every operation sends what is saved.
 */
export async function testApiKey(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const baseUrl = String(data.baseUrl ?? '');
	const apiKey = String(data.apiKey ?? '').trim();
	const problem = baseUrlProblem(baseUrl, 'messaging');
	if (problem !== undefined) return failed(`Base URL ${problem}`);
	if (apiKey === '') {
		return failed("API Key is empty. Create one in your account on the provider's website.");
	}
	// n8n's HTTP library would leave such a character out, and the service would reject another key.
	if (/[^ -~]/.test(apiKey)) {
		return failed(
			"API Key contains a character that can't be sent. Copy it again from your account on the provider's website.",
		);
	}
	const { helpers } = this;
	const chosen = keySchemeOf(data.scheme);
	const error = await tryKey(helpers.request, { baseUrl, apiKey }, chosen);
	if (error === undefined) return { status: 'OK', message: 'Connection successful!' };
	if (!isRejected(error)) return failed(describeFailedTest(error));
	const other = otherScheme[chosen];
	const second = await tryKey(helpers.request, { baseUrl, apiKey }, other);
	if (second === undefined) {
		return failed(`The key works with the scheme ${other}. Choose ${other} in Scheme.`);
	}
	if (isRejected(second)) return failed(explainBoth(error));
	return failed(
		`The service didn't accept the API Key with the scheme ${chosen}. With ${other} the result is another one: ${describeFailedTest(second)}`,
	);
}
