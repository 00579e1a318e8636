/** Response size is limited. The largest real response, for a dispatch with 100,000 messages, has about 20 MB. */
const largestBytes = 64 * 1024 * 1024;

/** Stands for a body that exceeded the limit and wasn't read completely. */
export const tooLarge = Symbol('a body that is too large');

type ByteStream = AsyncIterable<Uint8Array>;

const isStream = (body: unknown): body is ByteStream =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

const parse = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
};

/** A body and the number of bytes that were read. */
interface ReadBody {
	body: unknown;
	bytes: number;
}

/**
 * Reads a response as a stream and stops at the limit, because n8n's HTTP library would read any amount, however much it
 * decompresses to. JSON is parsed, anything else stays text.
 */
export const readBody = async (body: unknown): Promise<ReadBody> => {
	if (!isStream(body)) return { body, bytes: 0 };
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > largestBytes) return { body: tooLarge, bytes };
		chunks.push(chunk);
	}
	// The decoder drops the byte order mark that some services put before their text.
	return { body: parse(new TextDecoder().decode(Buffer.concat(chunks))), bytes };
};
