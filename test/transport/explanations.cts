import { json, text, type Behaviour } from '../support/server.cts';

/** One answer of the service, and what the user reads about it. */
export interface Row {
	what: string;
	answer: Behaviour;
	message: string;
	/** Each of these is in the description. */
	says: string[];
}

export const errorBody = (status: number, code: number, msg: string) =>
	json(status, { error: { code, msg } });

type Given = Omit<Row, 'message'>;
const given = (what: string, answer: Behaviour, ...says: string[]): Given => ({
	what,
	answer,
	says,
});
const repeated = (msg: string) => `The service says: ${msg}`;
const error = (status: number, code: number, msg: string) =>
	given(`${status}, code ${code}`, errorBody(status, code, msg), repeated(msg));
const words = (status: number, msg: string) =>
	given(`${status} with the text ${msg}`, text(status, msg), repeated(msg));
const bare = (status: number) => given(`${status} without a body`, text(status, ''));
const webPage = (status: number) => {
	const page = '<!DOCTYPE html>\n<html><head><title>nginx</title></head><body>Hello</body></html>';
	return given(`${status} with a web page`, text(status, page, 'text/html'));
};
const halfJson = (status: number) =>
	given(`${status} with half a JSON`, text(status, '{"error": {"code": 40', 'application/json'));

const row = ({ what, answer, says }: Given, message: string, ...more: string[]): Row => ({
	what,
	answer,
	message,
	says: [...says, ...more],
});

export const invalid = 'The service rejected the request as invalid';
const unknownUrl = "The service doesn't know this URL";
const notFound = "The service didn't find the requested entry";
const notAllowed = "The service doesn't allow this operation with this credential";
const wrongMethod = "The service doesn't allow this request at its URL";
const keyRefused = 'The service rejected the API key in the credential';
const keyNotAllowed = "This API key isn't allowed to use this operation";
const ipNotAllowed = "The service rejects requests from your n8n's IP address";
const noMoney = 'Your balance is too low';
const conflict = 'The request conflicts with the current state';
const wrongStatus = "The dispatch's current status doesn't allow this";
const overloaded = 'The service is receiving too many requests from you';
const tooLarge = 'The request is too large for the service';
const faulty = "Something went wrong on the service's side";
const fewer = 'Send fewer recipients at a time';
const checkUrl = "Check 'Base URL'";
const waiting = given('429', json(429, {}, { 'retry-after': '60' }));
const fields = { errors: [{ field: 'name', detail: 'too long' }] };
const textCode = { error: { code: 'E_NAME', msg: 'too long' } };

/** Both APIs. */
export const common: Row[] = [
	row(error(400, 4000, 'Bad Request'), invalid, 'Check the values'),
	row(error(404, 4040, 'Not Found'), notFound),
	row(given('402', json(402, {})), noMoney, 'Top up your balance'),
	row(error(400, 402, 'No money'), noMoney, 'Top up your balance'),
	row(bare(403), notAllowed, 'has permission'),
	row(bare(404), unknownUrl, checkUrl, 'may not offer this one'),
	row(webPage(404), unknownUrl, checkUrl),
	row(words(404, 'Cannot GET /dispatches/5'), unknownUrl, checkUrl),
	row(halfJson(404), unknownUrl, 'your provider may not offer this one'),
	// Which is no 404.
	row(words(410, 'Gone'), invalid),
	row(bare(405), wrongMethod, 'If other operations work', "check 'Base URL'"),
	row(error(409, 4090, 'Already started'), conflict, 'Check it, then run again'),
	row(words(413, 'Request Entity Too Large'), tooLarge, fewer),
	row(webPage(413), tooLarge, fewer),
	row(error(418, 4180, 'I am a teapot'), invalid),
	row(error(422, 4220, 'name is too long'), invalid),
	row(waiting, overloaded, 'was not carried out', 'Loop Over Items', 'asks to wait 60 seconds.'),
	row(webPage(429), overloaded, 'was not carried out'),
	row(bare(500), faulty, "Your workflow isn't the cause", 'Try again'),
	row(error(500, 5000, 'Database is down'), faulty),
	row(webPage(502), faulty, 'Try again'),
	row(bare(503), faulty, 'Try again'),
	row(webPage(200), "A web page came back instead of the service's response", 'Base URL'),
	row(bare(200), "The service's response was empty", 'Base URL', 'try again'),
	row(halfJson(200), "The service's response couldn't be read", 'cut off', 'Base URL'),
	row(given('another shape', json(400, fields)), invalid, repeated(JSON.stringify(fields))),
	row(given('a code that is a text', json(400, textCode)), invalid, 'E_NAME', 'too long'),
	row(words(400, 'name is too long'), invalid),
];

export const ofMessaging: Row[] = [
	row(error(401, 4010, 'Not Authenticated'), keyRefused, 'API Key', 'reissued', 'Scheme'),
	row(error(401, 4012, 'Bad credentials'), keyRefused, 'API Key'),
	row(error(401, 4013, 'IP not allowed'), ipNotAllowed, 'list of IP addresses', 'support'),
	row(error(403, 4030, 'Access Denied'), keyNotAllowed, 'an API key of another type', 'website'),
	row(
		error(403, 4031, 'Wrong Dispatch'),
		wrongStatus,
		'can be stopped only while it is being sent',
	),
	row(error(404, 4040, 'Not Found'), notFound, 'such as a message or a sender name'),
	row(bare(401), keyRefused, 'API Key'),
];
