/** Far above every true answer: the largest, a dispatch created with 100,000 messages, has about 20 MB. */
const largestBytes = 64 * 1024 * 1024;

/** Only the beginning came: the rest was more than anybody may send. */
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

/** A body, and how many bytes of it were read. */
interface ReadBody {
	body: unknown;
	bytes: number;
}

/**
 * Reads an answer as it comes in, and no further than is sensible: n8n's HTTP library would take in whatever a service
 * sends, however much it unpacks to. JSON becomes its value, anything else stays text.
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
	// A decoder drops the mark that some services put in front of their text.
	return { body: parse(new TextDecoder().decode(Buffer.concat(chunks))), bytes };
};
