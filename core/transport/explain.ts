import type { Endpoint } from '../contract/endpoint';
import { explainWidget } from './explainWidget';
import type { Explanation, Problem } from './types';

type Api = Endpoint['api'];

const seconds = (ms: number) => {
	const whole = Math.ceil(ms / 1000);
	return whole < 120 ? `${whole} seconds` : `${Math.ceil(whole / 60)} minutes`;
};

const secretNames: Record<Api, string> = {
	partner: 'Login and Password',
	messaging: 'API Key',
};

/** By the provider's words for its error 4010. */
export const whyKeyIsRejected =
	"Paste the current API Key from your account on the provider's website: it may be mistyped, deactivated or reissued (the old value stops working then).";

const credentialRefused = (api: Api): Explanation => ({
	message: `The service did not accept the ${api === 'partner' ? 'login' : 'API key'} of the credential`,
	description:
		api === 'partner'
			? 'Open the credential, enter the current Login and Password and test it. After a password change the old one stops working everywhere at once.'
			: `Open the credential. ${whyKeyIsRejected} If the key is right, try the other Scheme: the credential's test says which one works.`,
});

const notPermitted = (api: Api): Explanation =>
	api === 'partner'
		? {
				message: 'This account may not be used for this operation',
				description:
					'Ask your provider to allow it for this login, or choose the credential of another account.',
			}
		: {
				message: 'This API key may not be used for this operation',
				description:
					"Keys have types, and this operation needs a key of another type. Create one in your account on the provider's website and put it into the credential.",
			};

const notFound: Explanation = {
	message: 'The service did not find what this operation refers to',
	description:
		'Check the ID: it may be mistyped, belong to another company or account, or have been removed. Choosing From List shows what exists.',
};

const unknownUrl: Explanation = {
	message: "The service doesn't know this URL",
	description:
		"Check Base URL in the credential: a part of its path may be missing or wrong. If other operations work, your provider may not offer this one, or the ID doesn't exist.",
};

const invalidData: Explanation = {
	message: 'The service found something in the request invalid',
	description: 'Check the values of this operation.',
};

const overloaded: Explanation = {
	message: 'The service is receiving too many requests from you',
	description:
		'Nothing was done by this call. Wait a little, then run again, or send fewer items at a time with Loop Over Items and Wait.',
};

/** The service's own codes first: they say more than the HTTP status they come with. */
const byCode: Readonly<Record<number, (api: Api) => Explanation>> = {
	4000: () => invalidData,
	4040: () => notFound,
	4010: credentialRefused,
	4012: credentialRefused,
	4013: () => ({
		message: 'The service does not accept requests from the address of this n8n',
		description:
			"Access is limited to a list of IP addresses. Ask the service's support to add the address n8n calls from, or to lift the limit.",
	}),
	4030: notPermitted,
};

const byStatus: Readonly<Record<number, (api: Api) => Explanation>> = {
	400: () => invalidData,
	401: credentialRefused,
	402: () => ({
		message: 'The service asks for payment first',
		description: 'Top up the balance of the account, then run again.',
	}),
	403: (api) => ({
		message: 'The service does not allow this operation with this credential',
		description: `Check that the account behind ${secretNames[api]} has the right to it.`,
	}),
	404: () => notFound,
	405: () => ({
		message: 'The address in the credential does not lead to the service',
		description:
			'Something answered there that does not know this call. Check Base URL in the credential.',
	}),
	409: () => ({
		message: 'The request conflicts with the present state',
		description:
			'Somebody or something else changed it meanwhile. Look at it first, then run again.',
	}),
	413: () => ({
		message: 'The request is too large for the service',
		description: 'Send fewer recipients at a time, or a smaller file.',
	}),
	422: () => invalidData,
	429: () => overloaded,
};

const serviceFailed: Explanation = {
	message: 'The service had a fault of its own',
	description: 'Nothing is wrong with your workflow. Try again in a few minutes.',
};

const redirected = (location: string | undefined): Explanation => ({
	message: 'The address in the credential redirects somewhere else',
	description: `Put the final address into Base URL of the credential${location === undefined ? '' : `: the service points to ${location}`}. Redirects are not followed, so that your credentials go nowhere else.`,
});

const wrongAnswer: Readonly<Record<NonNullable<Problem['reply']>, Explanation>> = {
	html: {
		message: 'A web page came back instead of an answer of the service',
		description:
			'Base URL in the credential probably leads to a website or a log-in page, or a proxy stands between. Check it.',
	},
	empty: {
		message: 'The answer of the service was empty',
		description: 'Check Base URL in the credential. If it is right, try again in a few minutes.',
	},
	notJson: {
		message: 'The answer of the service could not be read',
		description:
			'It was cut off or is no JSON. Check Base URL in the credential. If it is right, try again in a few minutes.',
	},
	tooLarge: {
		message: 'The answer of the service is larger than 64 MB',
		description:
			'It was not read to its end, so that n8n does not run out of memory. Ask for less at a time, and check that Base URL in the credential leads to the service.',
	},
	endless: {
		message: 'The list of the service does not end',
		description:
			'More than 1,000,000 entries or 512 MB came, and still more are announced. Set Limit or choose filters, and check that Base URL in the credential leads to the service.',
	},
	noList: {
		message: "The service's answer holds no list that can be read",
		description:
			'It is not taken for an empty list. Check Base URL in the credential. If it is right, report what came to the maintainers of this node.',
	},
	shortList: {
		message: "The service's list ended before its own total",
		description:
			'It is not taken for the whole list. Try again in a few minutes. If it happens again, ask for fewer entries or choose filters.',
	},
};

/** It came with a status of success, and its body says the opposite. */
const contradictory: Explanation = {
	message: 'The service reported an error in an answer that counts as a success',
	description: "Check the result in your account on the provider's website.",
};

const checkAddress = 'Check Base URL in the credential: it may be mistyped.';

const certificate: Explanation = {
	message: 'The secure connection to the service could not be trusted',
	description:
		'Its certificate is expired, self-signed or for another address. Check Base URL in the credential; if it is right, tell whoever runs the service or the proxy in between.',
};

const unreachable: Explanation = {
	message: 'The service cannot be reached',
	description: `Nobody answers at its address. ${checkAddress} If it is right, the service is down or a firewall is in the way.`,
};

const timedOut: Explanation = {
	message: 'The service did not answer in time',
	description: 'It may be slow at the moment. Try again in a few minutes.',
};

const byConnection: Readonly<Record<string, Explanation>> = {
	ENOTFOUND: {
		message: 'The address of the service does not exist',
		description: `No server has this name. ${checkAddress}`,
	},
	EAI_AGAIN: {
		message: 'The address of the service could not be looked up',
		description: 'The name server does not answer. Check the network of this n8n, then try again.',
	},
	ERR_INVALID_URL: {
		message: 'Base URL in the credential is no address',
		description: checkAddress,
	},
	ECONNREFUSED: unreachable,
	EHOSTUNREACH: unreachable,
	ENETUNREACH: unreachable,
	ETIMEDOUT: timedOut,
	ECONNABORTED: timedOut,
	ERR_CANCELED: {
		message: 'The execution was cancelled while the service was being asked',
		description: 'Run the workflow again when you are ready.',
	},
	ERR_INVALID_CHAR: {
		message: 'The credential holds a character that cannot be sent',
		description:
			'A line break or a letter of another alphabet is in it, perhaps from copying. Open the credential and enter it anew.',
	},
	EPROTO: {
		message: 'The secure connection to the service could not be set up',
		description:
			'The address may answer without encryption: check https:// in Base URL of the credential.',
	},
};

const connectionLost: Explanation = {
	message: 'The connection to the service was lost',
	description:
		'Try again in a few minutes. If it happens often, check the network and any proxy in between.',
};

const explainConnection = (code: string): Explanation =>
	byConnection[code] ?? (/CERT|SIGNATURE/.test(code) ? certificate : connectionLost);

const tokenRefused: Explanation = {
	message: 'The service did not accept the access token of the credential',
	description:
		"Open the credential and enter a new Access Token, or choose Login and Password in 'Log In With'. After a password change old tokens stop working.",
};

/** Nobody knows it for certain: whoever has a key can look it up and enter it. */
const assumedPath: Explanation = {
	message: "The service doesn't know this operation under its usual path",
	description:
		"The provider doesn't publish the path. Ask the provider for it, then open the credential, turn on 'Change Paths' and enter it. If no operation works, check Base URL. If others work, an ID may also be wrong.",
};

const base = (problem: Problem, api: Api): Explanation => {
	const { status, code, reply, connection } = problem;
	if (status === 401 && problem.usesToken) return tokenRefused;
	const isMissing = status === 404 || status === 405;
	if (problem.hasAssumedPath && isMissing && code !== 4040) return assumedPath;
	if (status === undefined) {
		return connection === undefined ? connectionLost : explainConnection(connection);
	}
	if (code !== undefined && byCode[code] !== undefined) return byCode[code](api);
	const ofWidget = code !== undefined && api === 'messaging' ? explainWidget(code) : undefined;
	if (ofWidget !== undefined) return ofWidget;
	if (status < 300) return reply === undefined ? contradictory : wrongAnswer[reply];
	if (status < 400) return redirected(problem.location);
	if (status >= 500) return serviceFailed;
	if (problem.isUnknownUrl) return unknownUrl;
	// Proxies answer these with a web page too, and mean them.
	if (reply === 'html' && status !== 413 && status !== 429) return wrongAnswer.html;
	return byStatus[status]?.(api) ?? invalidData;
};

/** From what is known about a failure to what the user reads. */
export const explain = (problem: Problem, api: Api): Explanation => {
	const { message, description } = base(problem, api);
	const details = [description];
	if (problem.found) details.push(`The service sent ${problem.found}.`);
	if (problem.retryAfterMs !== undefined) {
		details.push(`The service asks to wait ${seconds(problem.retryAfterMs)}.`);
	}
	if (problem.serviceText) details.push(`The service says: ${problem.serviceText}`);
	return { message, description: details.join(' ') };
};
