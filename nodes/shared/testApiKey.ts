import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import {
	failedTest,
	keySchemeOf,
	otherScheme,
	readApiKey,
	tryKey,
} from '../../core/transport/credentialTest';
import type { ServiceError } from '../../core/transport/outcome';
import { whyKeyIsRejected } from '../../core/transport/explain';
import { baseUrlProblem } from '../../core/transport/request';

const ipNotAllowed = 4013;

/** Whether the key may work in the other scheme. It can't if the service rejected your n8n's IP address. */
const isRejected = ({ problem: { status, code } }: ServiceError): boolean =>
	status === 401 && code !== ipNotAllowed;

/** The credential window shows only this text, so it also says what to do. */
const describeFailedTest = (error: ServiceError): string => {
	const { status } = error.problem;
	if (status === 403) {
		return "This API key can't read the balance, which is how a key is tested. Check in your account on the provider's website what the key is for.";
	}
	if (status === 404)
		return "The service has nothing at this URL. Check 'Base URL': it must end with /api/v1.";
	return error.inOneText;
};

const explainBoth = ({ problem: { code, serviceText } }: ServiceError): string =>
	[
		`The service rejected the API key, both as Bearer and as Basic. ${whyKeyIsRejected}`,
		code === undefined &&
			"The key may also be limited to a list of IP addresses that doesn't include your n8n's.",
		serviceText && `The service says: ${serviceText}`,
	]
		.filter((text) => text)
		.join(' ');

/**
 * Tests the key in the chosen scheme. The provider doesn't document which scheme a key needs, so a rejected key is tried in the
 * other one too, and the result names the one that works. The user has to save it: every operation uses the saved scheme.
 */
export async function testApiKey(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const baseUrl = String(data.baseUrl ?? '');
	const apiKey = readApiKey(data.apiKey);
	const problem = baseUrlProblem(baseUrl, 'messaging');
	if (problem !== undefined) return failedTest(`'Base URL' ${problem}`);
	if (apiKey === '') {
		return failedTest(
			"'API Key' is empty. Create a key in your account on the provider's website.",
		);
	}
	// n8n's HTTP library would drop such a character, and the service would reject a key the user didn't enter.
	if (/[^ -~]/.test(apiKey)) {
		return failedTest(
			"'API Key' contains a character that can't be sent. Copy it again from your account on the provider's website.",
		);
	}
	const chosen = keySchemeOf(data.scheme);
	const error = await tryKey(this, { baseUrl, apiKey }, chosen);
	if (error === undefined) {
		const message = "The service knows this key. Whether its type fits an operation isn't tested.";
		return { status: 'OK', message };
	}
	if (!isRejected(error)) return failedTest(describeFailedTest(error));
	const other = otherScheme[chosen];
	const second = await tryKey(this, { baseUrl, apiKey }, other);
	if (second === undefined) {
		return failedTest(`The key works with the scheme ${other}. Set 'Scheme' to '${other}'.`);
	}
	if (isRejected(second)) return failedTest(explainBoth(error));
	return failedTest(
		`The service rejected the API key with the scheme ${chosen}. With ${other}, the result is different: ${describeFailedTest(second)}`,
	);
}
