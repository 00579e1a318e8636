import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Replaces the language model of the agent sample, so that it runs without an account: an OpenAI-compatible server that
 * follows a fixed script. It lists the companies, previews a dispatch, asks to send it, and then reports in one sentence
 * what the last tool returned.
 */

interface ChatMessage {
	role: string;
	content?: unknown;
}

interface Tool {
	type: string;
	function: { name: string; parameters?: { properties?: Record<string, unknown> } };
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

/** The tools it calls, one after another. The names match the tool nodes in the sample. */
const script = [
	{ tool: 'List_companies', input: {} },
	{ tool: 'Preview_dispatch', input: dispatch },
	{ tool: 'Send_dispatch', input: dispatch },
];

/** A tool that a person must approve expects its input one level deeper. */
function toArguments({ function: { parameters } }: Tool, input: object) {
	const isGated = parameters?.properties?.toolParameters !== undefined;
	return JSON.stringify(isGated ? { toolParameters: input, hitlParameters: {} } : input);
}

/** `result` is what the last tool returned. */
function conclude(result: unknown) {
	const text = typeof result === 'string' ? result : JSON.stringify(result ?? 'nothing');
	const [, started] = /"started":true.*"dispatchId":(\d+)/.exec(text) ?? [];
	if (started) return `Done: dispatch ${started} is started.`;
	// n8n's words. The service's errors contain "rejected" too.
	if (text.includes('User rejected the tool call')) return 'Not sent: it was not approved.';
	return `Not sent. The last tool returned: ${text}`;
}

/** The model's next message, based on the conversation so far. */
function nextMessage({ messages, tools = [] }: ChatRequest) {
	const results = messages.filter(({ role }) => role === 'tool');
	const step = script[results.length];
	const tool = tools.find(({ function: { name } }) => name === step?.tool);
	if (step === undefined || tool === undefined) {
		return { role: 'assistant', content: conclude(results.at(-1)?.content) };
	}
	return {
		role: 'assistant',
		content: null,
		tool_calls: [
			{
				id: `call_${results.length + 1}`,
				type: 'function',
				function: { name: step.tool, arguments: toArguments(tool, step.input) },
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
