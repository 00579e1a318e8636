import * as http from 'node:http';
import * as https from 'node:https';
import type { CallbackRequest, SendCallback } from './outbox.cts';

const timeoutMs = 10_000;
/** The characters kept of a response body: enough to see what is wrong. */
const longestKept = 500;

/** Posts callbacks over connections that stay open until `close`. */
export const callbackSender = () => {
	const options = { keepAlive: true, maxSockets: 64 };
	const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

	const send: SendCallback = async ({ url, headers, body }: CallbackRequest) =>
		await new Promise((resolve, reject) => {
			const target = new URL(url);
			const secure = target.protocol === 'https:';
			const request = (secure ? https : http).request(target, {
				method: 'POST',
				agent: agents[secure ? 'https:' : 'http:'],
				headers: { ...headers, 'content-length': Buffer.byteLength(body) },
			});
			// Limits the whole attempt, not the pause between two bytes: a slow receiver must not block a lane forever.
			const timer = setTimeout(
				() => request.destroy(new Error(`no response in ${timeoutMs} ms`)),
				timeoutMs,
			);
			request.on('response', (response) => {
				let answer = '';
				response.setEncoding('utf8');
				response.on('data', (text: string) => {
					if (answer.length < longestKept) answer = (answer + text).slice(0, longestKept);
				});
				response.on('close', () => {
					clearTimeout(timer);
					resolve({ status: response.statusCode ?? 0, answer });
				});
			});
			request.on('error', (error) => {
				clearTimeout(timer);
				reject(error);
			});
			request.end(body);
		});

	return {
		send,
		close() {
			agents['http:'].destroy();
			agents['https:'].destroy();
		},
	};
};
