import type { Endpoint } from '../contract/endpoint';
import { neededKeys } from '../contract/keys';
import { explainWidget } from './explainWidget';
import type { Explanation, FailedOutcome, Problem } from './types';

type Api = Endpoint['api'];

const seconds = (ms: number) => {
	const whole = Math.ceil(ms / 1000);
	return whole < 120 ? `${whole} seconds` : `${Math.ceil(whole / 60)} minutes`;
};

const secretNames: Record<Api, string> = {
	partner: "'Login' and 'Password'",
	messaging: "'API Key'",
};

/** The reasons are the provider's own for its error 4010. */
export const whyKeyIsRejected =
	"Paste the current API key from your account on the provider's website into 'API Key'. The key may be mistyped, deactivated or reissued (the old key stops working then).";

const credentialRejected = (api: Api): Explanation => ({
	message: `The service rejected the ${api === 'partner' ? 'login' : 'API key'} in the credential`,
	description:
		api === 'partner'
			? "Open the credential, enter the current 'Login' and 'Password' and test it. After a password change, the old password stops working everywhere at once."
			: `Open the credential. ${whyKeyIsRejected} If the key is right, try the other 'Scheme': the credential's test tells you which one works.`,
});

const notPermitted = (api: Api, { key }: Problem): Explanation =>
	api === 'partner'
		? {
				message: "This account isn't allowed to use this operation",
				description:
					'Ask your provider to allow it for this login, or choose a credential for another account.',
			}
		: {
				message: "This API key isn't allowed to use this operation",
				description: `This operation needs an API key ${key === undefined ? 'of another type' : `for ${neededKeys[key]}`}. Create one in your account on the provider's website and enter it in the credential.`,
			};

const notFound = (api: Api, { hasId }: Problem): Explanation => ({
	message: "The service didn't find the requested entry",
	description: hasId
		? `Check the ID: it may be mistyped, belong to another ${api === 'partner' ? 'company or account' : 'account'}, or have been deleted.`
		: `Something that this request names, such as ${api === 'partner' ? 'the company' : 'a message or a sender name'}, doesn't exist or belongs to another account. If other operations fail too, check 'Base URL' in the credential.`,
});

/** The service reports a missing entry with a code. Any other 404 may come from a server that doesn't have this URL. */
const unknownUrl = ({ hasId }: Problem): Explanation => ({
	message: "The service doesn't know this URL",
	description: `Check 'Base URL' in the credential: a part of its path may be missing or wrong. If other operations work, your provider may not offer this one${hasId ? ", or the ID doesn't exist" : ''}.`,
});

const wrongUrl: Explanation = {
	message: "The URL in the credential doesn't lead to the service",
	description:
		"The server at this URL doesn't know the service's login. Check 'Base URL' in the credential.",
};

const invalidData: Explanation = {
	message: 'The service rejected the request as invalid',
	description: 'Check the values you entered for this operation.',
};

const overloaded: Explanation = {
	message: 'The service is receiving too many requests from you',
	description:
		'Wait a little, then run again, or send fewer items at a time with Loop Over Items and Wait.',
};

const unpaid: Explanation = {
	message: 'Your balance is too low',
	description: 'Top up your balance, then run again.',
};

/** The service's own error codes, which say more than the HTTP status. A public program also expects 402 among them. */
const byCode: Readonly<Record<number, (api: Api, problem: Problem) => Explanation>> = {
	402: () => unpaid,
	4000: () => invalidData,
	4040: notFound,
	4010: credentialRejected,
	4012: credentialRejected,
	4013: () => ({
		message: "The service rejects requests from your n8n's IP address",
		description:
			"Access is limited to a list of IP addresses. Ask your provider's support to add your n8n's IP address, or to remove the limit.",
	}),
	4030: notPermitted,
	4031: () => ({
		message: "The dispatch's current status doesn't allow this",
		description:
			'A dispatch can be started once, accepts recipients only before that, and can be stopped only while it is being sent. Check its status.',
	}),
};

const byStatus: Readonly<Record<number, (api: Api, problem: Problem) => Explanation>> = {
	400: () => invalidData,
	401: credentialRejected,
	402: () => unpaid,
	403: (api, { key }) => ({
		message: "The service doesn't allow this operation with this credential",
		description: `${key === undefined ? '' : `This operation needs an API key for ${neededKeys[key]}. `}Check that the account for ${secretNames[api]} in the credential has permission for this operation.`,
	}),
	404: (_, problem) => unknownUrl(problem),
	405: () => ({
		message: "The service doesn't allow this request at its URL",
		description:
			"If other operations work, your provider may not offer this one, or a proxy between n8n and the service blocks it: contact your provider. If none works, check 'Base URL' in the credential.",
	}),
	408: () => timedOut,
	409: () => ({
		message: 'The request conflicts with the current state',
		description:
			'The entry may have been changed elsewhere in the meantime. Check it, then run again.',
	}),
	413: () => ({
		message: 'The request is too large for the service',
		description: 'Send fewer recipients at a time, or a smaller file.',
	}),
	422: () => invalidData,
	429: () => overloaded,
};

const serviceFailed: Explanation = {
	message: "Something went wrong on the service's side",
	description: "Your workflow isn't the cause. Try again in a few minutes.",
	ifUnknown: "Your workflow isn't the cause.",
};

const redirected = (location: string | undefined): Explanation => ({
	message: 'The URL in the credential redirects to another URL',
	description: `Enter the final URL in 'Base URL' in the credential${location === undefined ? '' : `: the service redirects to ${location}`}. To protect your credential, redirects aren't followed.`,
});

const wrongResponse: Readonly<Record<NonNullable<Problem['reply']>, Explanation>> = {
	html: {
		message: "A web page came back instead of the service's response",
		description:
			"Check 'Base URL' in the credential: it probably leads to a website or a login page. A proxy between n8n and the service can also be the cause.",
	},
	empty: {
		message: "The service's response was empty",
		description: "Check 'Base URL' in the credential. If it is right, try again in a few minutes.",
	},
	error: {
		message: 'The service reported success and an error in the same response',
		description: "Check the result in your account on the provider's website.",
	},
	notJson: {
		message: "The service's response couldn't be read",
		description:
			"It was cut off or isn't JSON. Check 'Base URL' in the credential. If it is right, try again in a few minutes.",
	},
	tooLarge: {
		message: "The service's response is larger than 64 MB",
		description:
			"It wasn't read completely, so that n8n doesn't run out of memory. Request less at a time, and check that 'Base URL' in the credential leads to the service.",
	},
	endless: {
		message: "The service's list is too long",
		description:
			"It has more than 1,000,000 entries or 512 MB. Set 'Limit' or add filters, and check that 'Base URL' in the credential leads to the service.",
	},
	noList: {
		message: "The service's response doesn't contain a readable list",
		description:
			"This doesn't mean that the list is empty. Check 'Base URL' in the credential. If it is right, report this message to the maintainers of this node.",
	},
	unreadable: {
		message: "The service's response couldn't be understood",
		description:
			"It contains nothing of what was requested. Check 'Base URL' in the credential. If it is right, report this message to the maintainers of this node.",
	},
	shortList: {
		message: "The service's list is incomplete",
		description:
			'It has fewer entries than the total that the service reports. Try again in a few minutes. If it happens again, request fewer entries or add filters.',
	},
	unclear: {
		message: "The service accepted the request, but its response doesn't show the result",
		description: "Check the result in your account on the provider's website.",
	},
	other: {
		message: "The service's response is about something else than what was requested",
		description:
			"The response contains another ID, number or value. Check the result in your account on the provider's website.",
	},
};

const checkBaseUrl = "Check 'Base URL' in the credential: it may be mistyped.";

const canceled: Explanation = {
	message: 'The execution was canceled during a request to the service',
	description: 'Run the workflow again when you are ready.',
};

const certificate: Explanation = {
	message: "The service's certificate isn't trusted",
	description:
		"The certificate is expired, self-signed or for another host. Check 'Base URL' in the credential. If it is right, contact your provider, or the administrator of the proxy between n8n and the service.",
};

const unreachable: Explanation = {
	message: "The service can't be reached",
	description: `No server responds at its URL. ${checkBaseUrl} If it is right, the service is down or a firewall blocks the connection.`,
};

const timedOut: Explanation = {
	message: "The service didn't respond in time",
	description: 'It may be slow at the moment. Try again in a few minutes.',
	ifUnknown: 'It may be slow at the moment.',
};

const byConnection: Readonly<Record<string, Explanation>> = {
	ENOTFOUND: {
		message: "The service's URL doesn't exist",
		description: `No server has this name. ${checkBaseUrl}`,
	},
	EAI_AGAIN: {
		message: "The service's host name couldn't be looked up",
		description: "The DNS server doesn't respond. Check your n8n's network, then try again.",
	},
	ERR_INVALID_URL: {
		message: "'Base URL' in the credential isn't a valid URL",
		description: checkBaseUrl,
	},
	ECONNREFUSED: unreachable,
	EHOSTUNREACH: unreachable,
	ENETUNREACH: unreachable,
	ETIMEDOUT: timedOut,
	ECONNABORTED: timedOut,
	ERR_CANCELED: canceled,
	ERR_INVALID_CHAR: {
		message: "The credential contains a character that can't be sent",
		description:
			"Copying may have added a line break or a letter from another alphabet. Open the credential and enter 'API Key' or 'Access Token' again.",
	},
	EPROTO: {
		message: "A secure connection to the service couldn't be set up",
		description:
			"The server at 'Base URL' may not support https://. Check 'Base URL' in the credential.",
	},
};

const connectionLost: Explanation = {
	message: 'The connection to the service was lost',
	description:
		'Try again in a few minutes. If it happens often, check the network and any proxy between n8n and the service.',
	ifUnknown: 'If it happens often, check the network and any proxy between n8n and the service.',
};

const explainConnection = (code: string): Explanation =>
	byConnection[code] ?? (/CERT|SIGNATURE/.test(code) ? certificate : connectionLost);

const tokenRejected: Explanation = {
	message: 'The service rejected the access token in the credential',
	description:
		"Open the credential and enter a new 'Access Token', or set 'Log In With' to 'Login and Password'. After a password change, old tokens stop working.",
};

/** The path isn't stated. A customer can ask the provider for the real one and enter it. */
const assumedPath: Explanation = {
	message: "The service doesn't know this operation under its usual path",
	description:
		"The provider's own documentation doesn't show the path. Ask your provider for it, then open the credential, turn on 'Change Paths' and enter it. If no operation works, check 'Base URL'. If others work, an ID may also be wrong.",
};

const base = (problem: Problem, api: Api, outcome?: FailedOutcome): Explanation => {
	const { status, code, reply, connection } = problem;
	if (status === 401 && problem.usesToken) return tokenRejected;
	if (problem.hasNoLogIn) return wrongUrl;
	const isMissing = status === 404 || status === 405;
	if (problem.hasAssumedPath && isMissing && code !== 4040) return assumedPath;
	if (status === undefined) {
		return connection === undefined ? connectionLost : explainConnection(connection);
	}
	// Whatever code is beside it, this says nothing about whether the request was carried out.
	if (status >= 500 && outcome === 'unknown') return serviceFailed;
	if (code !== undefined && byCode[code] !== undefined) return byCode[code](api, problem);
	const ofWidget = code !== undefined && api === 'messaging' ? explainWidget(code) : undefined;
	if (ofWidget !== undefined) return ofWidget;
	if (status < 300) return wrongResponse[reply ?? 'unreadable'];
	if (status < 400) return redirected(problem.location);
	if (status >= 500) return serviceFailed;
	// Proxies send these with a web page too; then the status is the real cause.
	if (reply === 'html' && ![404, 413, 429].includes(status)) return wrongResponse.html;
	return byStatus[status]?.(api, problem) ?? invalidData;
};

/** The text that the user reads about a failure. */
export const explain = (
	problem: Problem,
	api: Api,
	outcome?: FailedOutcome,
	/** Whether doing it again could do something twice. */
	isRisky = false,
): Explanation => {
	const { message, description, ifUnknown = description } = base(problem, api, outcome);
	const isOverloaded = message === overloaded.message && outcome !== 'unknown';
	// If it isn't known what was done, running the workflow again isn't the next step.
	const isCutOff = message === canceled.message && outcome === 'unknown';
	const details = isCutOff ? [] : [isRisky ? ifUnknown : description];
	if (isOverloaded) details.unshift('This request was not carried out.');
	if (problem.found) details.push(`The service sent ${problem.found}.`);
	if (problem.retryAfterMs !== undefined) {
		details.push(`The service asks to wait ${seconds(problem.retryAfterMs)}.`);
	}
	if (problem.serviceText) details.push(`The service says: ${problem.serviceText}`);
	return { message, description: details.join(' ') };
};
