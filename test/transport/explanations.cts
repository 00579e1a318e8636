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
const page = '<!DOCTYPE html>\n<html><head><title>nginx</title></head><body>Hello</body></html>';

export const invalid = 'The service rejected the request as invalid';
const unknownUrl = "The service doesn't know this URL";
const notFound = "The service didn't find the requested entry";
const keyRefused = 'The service rejected the API key in the credential';
const overloaded = 'The service is receiving too many requests from you';
const tooLarge = 'The request is too large for the service';
const faulty = "Something went wrong on the service's side";
const webPage = "A web page came back instead of the service's response";

/** Both APIs. */
export const common: Row[] = [
	{
		what: '400, code 4000',
		answer: errorBody(400, 4000, 'Bad Request'),
		message: invalid,
		says: ['Check the values', 'The service says: Bad Request'],
	},
	{
		what: '404, code 4040',
		answer: errorBody(404, 4040, 'Not Found'),
		message: notFound,
		says: ['The service says: Not Found'],
	},
	{
		what: '402',
		answer: json(402, {}),
		message: 'Your balance is too low',
		says: ['Top up your balance'],
	},
	{
		what: '400, code 402',
		answer: errorBody(400, 402, 'No money'),
		message: 'Your balance is too low',
		says: ['Top up your balance', 'The service says: No money'],
	},
	{
		what: '403',
		answer: text(403, ''),
		message: "The service doesn't allow this operation with this credential",
		says: ['has permission'],
	},
	{
		what: '404 without a body',
		answer: text(404, ''),
		message: unknownUrl,
		says: ["Check 'Base URL'", 'may not offer this one'],
	},
	{
		what: '404 with a web page',
		answer: text(404, page, 'text/html'),
		message: unknownUrl,
		says: ["Check 'Base URL'"],
	},
	{
		what: '404 with a text of another server',
		answer: text(404, 'Cannot GET /dispatches/5'),
		message: unknownUrl,
		says: ["Check 'Base URL'", 'The service says: Cannot GET /dispatches/5'],
	},
	{
		what: '404 with JSON that ends early',
		answer: text(404, '{"error": {"code": 40', 'application/json'),
		message: unknownUrl,
		says: ['your provider may not offer this one'],
	},
	{
		what: '410 with a text, which is no 404',
		answer: text(410, 'Gone'),
		message: invalid,
		says: ['The service says: Gone'],
	},
	{
		what: '405',
		answer: text(405, ''),
		message: "The service doesn't allow this request at its URL",
		says: ['If other operations work, your provider may not offer this one', "check 'Base URL'"],
	},
	{
		what: '409',
		answer: errorBody(409, 4090, 'Already started'),
		message: 'The request conflicts with the current state',
		says: ['Check it, then run again', 'The service says: Already started'],
	},
	{
		what: '413',
		answer: text(413, 'Request Entity Too Large'),
		message: tooLarge,
		says: ['Send fewer recipients at a time', 'The service says: Request Entity Too Large'],
	},
	{
		what: '413 with a web page, as proxies answer it',
		answer: text(413, page, 'text/html'),
		message: tooLarge,
		says: ['Send fewer recipients at a time'],
	},
	{
		what: '418, which nobody expects',
		answer: errorBody(418, 4180, 'I am a teapot'),
		message: invalid,
		says: ['The service says: I am a teapot'],
	},
	{
		what: '422',
		answer: errorBody(422, 4220, 'name is too long'),
		message: invalid,
		says: ['The service says: name is too long'],
	},
	{
		what: '429',
		answer: json(429, {}, { 'retry-after': '60' }),
		message: overloaded,
		says: ['was not carried out', 'Loop Over Items', 'The service asks to wait 60 seconds.'],
	},
	{
		what: '429 with a web page, as proxies answer it',
		answer: text(429, page, 'text/html'),
		message: overloaded,
		says: ['was not carried out'],
	},
	{
		what: '500',
		answer: text(500, ''),
		message: faulty,
		says: ["Your workflow isn't the cause", 'Try again'],
	},
	{
		what: '500 with a text',
		answer: errorBody(500, 5000, 'Database is down'),
		message: faulty,
		says: ['The service says: Database is down'],
	},
	{
		what: '502 with a web page',
		answer: text(502, page, 'text/html'),
		message: faulty,
		says: ['Try again'],
	},
	{ what: '503', answer: text(503, ''), message: faulty, says: ['Try again'] },
	{
		what: '200 with a web page',
		answer: text(200, page, 'text/html'),
		message: webPage,
		says: ['Base URL'],
	},
	{
		what: '200 with nothing',
		answer: text(200, ''),
		message: "The service's response was empty",
		says: ['Base URL', 'try again'],
	},
	{
		what: '200 with half a JSON',
		answer: text(200, '{"id": 5, "na', 'application/json'),
		message: "The service's response couldn't be read",
		says: ['cut off', 'Base URL'],
	},
	{
		what: 'an error body of another shape',
		answer: json(400, { errors: [{ field: 'name', detail: 'too long' }] }),
		message: invalid,
		says: ['The service says: {"errors":[{"field":"name","detail":"too long"}]}'],
	},
	{
		what: 'an error code that is a text',
		answer: json(400, { error: { code: 'E_NAME', msg: 'too long' } }),
		message: invalid,
		says: ['E_NAME', 'too long'],
	},
	{
		what: 'an error that is a plain text',
		answer: text(400, 'name is too long'),
		message: invalid,
		says: ['The service says: name is too long'],
	},
];

export const ofMessaging: Row[] = [
	{
		what: '401, code 4010',
		answer: errorBody(401, 4010, 'Not Authenticated'),
		message: keyRefused,
		says: ['API Key', 'reissued', 'Scheme', 'The service says: Not Authenticated'],
	},
	{
		what: '401, code 4012',
		answer: errorBody(401, 4012, 'Bad credentials'),
		message: keyRefused,
		says: ['API Key', 'The service says: Bad credentials'],
	},
	{
		what: '401, code 4013',
		answer: errorBody(401, 4013, 'IP not allowed'),
		message: "The service rejects requests from your n8n's IP address",
		says: ['list of IP addresses', 'support'],
	},
	{
		what: '403, code 4030',
		answer: errorBody(403, 4030, 'Access Denied'),
		message: "This API key isn't allowed to use this operation",
		says: ['an API key of another type', "in your account on the provider's website"],
	},
	{
		what: '403, code 4031',
		answer: errorBody(403, 4031, 'Wrong Dispatch Status'),
		message: "The dispatch's current status doesn't allow this",
		says: ['can be stopped only while it is being sent', 'The service says: Wrong Dispatch'],
	},
	{
		what: '404, code 4040',
		answer: errorBody(404, 4040, 'Not Found'),
		message: "The service didn't find the requested entry",
		says: ["Something that this request names, such as a message or a sender name, doesn't exist"],
	},
	{ what: '401 without a body', answer: text(401, ''), message: keyRefused, says: ['API Key'] },
];
