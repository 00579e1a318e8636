import type { IHttpRequestOptions } from 'n8n-workflow';
import type { UploadFile } from '../contract/company';
import { WrittenBody, type Endpoint } from '../contract/endpoint';

type Encoded = Pick<IHttpRequestOptions, 'body' | 'headers'>;

/** What a form holds: files, and fields with one value or several. */
export type FormParts = Readonly<Record<string, UploadFile | readonly string[]>>;

/** Every file has a name: without one the platform would write a part that is no file. */
const toForm = (parts: FormParts): FormData => {
	const form = new FormData();
	for (const [field, part] of Object.entries(parts)) {
		if ('bytes' in part) {
			const { filename, contentType, bytes } = part;
			form.append(field, new File([new Uint8Array(bytes)], filename, { type: contentType }));
		} else {
			for (const value of part) form.append(field, value);
		}
	}
	return form;
};

/** The platform writes the form. Its bytes are sent, because n8n doesn't repeat a form after it has renewed a token. */
const encodeForm = async (form: FormData): Promise<Encoded> => {
	const written = new Response(form);
	return {
		body: Buffer.from(await written.arrayBuffer()),
		headers: { 'Content-Type': written.headers.get('content-type') },
	};
};

/** The body of a request as the bytes that travel, the same for every attempt. */
export const encodeBody = async (endpoint: Endpoint, body: unknown): Promise<Encoded> => {
	if (endpoint.encoding === 'none' || body === undefined) return {};
	// checkRequest has seen that every part is a file; a custom call builds its parts itself.
	if (endpoint.encoding === 'multipart') {
		return await encodeForm(toForm(body as FormParts));
	}
	// Bytes: n8n and its HTTP library would parse a text again and drop an empty object.
	const { bytes } = body instanceof WrittenBody ? body : new WrittenBody(body);
	return { body: bytes, headers: { 'Content-Type': 'application/json' } };
};
