import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Replaces the language model of the agent samples, so that they run without an account: an OpenAI-compatible server that
 * follows a fixed script. It lists the companies, previews a dispatch, asks to send it, and then reports in one sentence
 * what the last tool returned.
 */

interface ChatMessage {
	role: string;
	content?: unknown;
}

interface Schema {
	properties?: Record<string, Schema>;
}

interface Tool {
	type: string;
	function: { name: string; parameters?: Schema };
}

interface ChatRequest {
	model: string;
	messages: ChatMessage[];
	tools?: Tool[];
}

const regulars = [
	{ destination: '+7 916 130-00-01', substitutions: { name: 'Anna' } },
	{ destination: '+7 903 130-00-02', substitutions: { name: 'Boris' } },
];
const dispatch = {
	name: 'Peonies for regulars',
	text: '{name}, the first peonies are here. Camomile Flowers',
	recipients: regulars,
};

/** The tools it calls, one after another. The names match the tool nodes in the samples; a sample may lack some of them. */
const script = ['List_companies', 'Preview_dispatch', 'Send_dispatch'];

const textOf = (result: unknown) =>
	typeof result === 'string' ? result : JSON.stringify(result ?? 'nothing');

/** The values that the tool asks for. A tool that a person must approve expects them one level deeper. */
function toArguments({ function: { parameters } }: Tool, lastResult: unknown) {
	const gated = parameters?.properties?.toolParameters;
	const asked = (gated ?? parameters)?.properties ?? {};
	const [, price] = /"price":\{[^}]*"to":([\d.]+)/.exec(textOf(lastResult)) ?? [];
	const known = Object.entries({ ...dispatch, price: Number(price) });
	const input = Object.fromEntries(known.filter(([name]) => Object.hasOwn(asked, name)));
	return JSON.stringify(gated ? { toolParameters: input, hitlParameters: {} } : input);
}

/** `result` is what the last tool returned. */
function conclude(result: unknown) {
	const text = textOf(result);
	const [, started] = /"started":true.*"dispatchId":(\d+)/.exec(text) ?? [];
	if (started) return `Done: dispatch ${started} is started.`;
	// n8n's words. The service's errors contain "rejected" too.
	if (text.includes('User rejected the tool call')) return 'Not sent: it was not approved.';
	return `Not sent. The last tool returned: ${text}`;
}

/** The model's next message, based on the conversation so far. */
function nextMessage({ messages, tools = [] }: ChatRequest) {
	const results = messages.filter(({ role }) => role === 'tool');
	const last = results.at(-1)?.content;
	const steps = script.flatMap((step) => tools.filter((one) => one.function.name === step));
	const tool = steps[results.length];
	if (tool === undefined) return { role: 'assistant', content: conclude(last) };
	return {
		role: 'assistant',
		content: null,
		tool_calls: [
			{
				id: `call_${results.length + 1}`,
				type: 'function',
				function: { name: tool.function.name, arguments: toArguments(tool, last) },
			},
		],
	};
}

function complete(request: ChatRequest) {
	const message = nextMessage(request);
	return {
		id: 'chatcmpl-1',
		object: 'chat.completion',
		created: 0,
		model: request.model,
		choices: [
			{ index: 0, message, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop' },
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

interface LanguageModel {
	/** For the OpenAI credential. */
	url: string;
	close(): Promise<void>;
}

/** Starts it on 127.0.0.1. It doesn't keep the process alive. */
export async function startLanguageModel(): Promise<LanguageModel> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const isChat = request.url === '/v1/chat/completions';
			const body = isChat
				? complete(JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest)
				: {};
			response.writeHead(isChat ? 200 : 404, { 'content-type': 'application/json' });
			response.end(JSON.stringify(body));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	server.unref();
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		close: async () => {
			await new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
		},
	};
}
