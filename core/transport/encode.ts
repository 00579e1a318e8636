import type { IHttpRequestOptions } from 'n8n-workflow';
import type { UploadFile } from '../contract/company';
import { WrittenBody, type Endpoint } from '../contract/endpoint';

type Encoded = Pick<IHttpRequestOptions, 'body' | 'headers'>;

/** The contents of a form: files, and fields with one or several values. */
export type FormParts = Readonly<Record<string, UploadFile | readonly string[]>>;

/** Every file gets a name, because without one the platform would not write it as a file. */
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

/** Encodes the form to bytes with the platform's own encoder, because n8n doesn't resend a form after it has renewed a token. */
const encodeForm = async (form: FormData): Promise<Encoded> => {
	const written = new Response(form);
	return {
		body: Buffer.from(await written.arrayBuffer()),
		headers: { 'Content-Type': written.headers.get('content-type') },
	};
};

/** The body of a request as bytes, the same for every attempt. */
export const encodeBody = async (endpoint: Endpoint, body: unknown): Promise<Encoded> => {
	if (endpoint.encoding === 'none' || body === undefined) return {};
	// checkRequest has checked that every part is a file; an API request builds its parts itself.
	if (endpoint.encoding === 'multipart') {
		return await encodeForm(toForm(body as FormParts));
	}
	// Bytes, because n8n and its HTTP library would parse text again and drop an empty object.
	const { bytes } = body instanceof WrittenBody ? body : new WrittenBody(body);
	return { body: bytes, headers: { 'Content-Type': 'application/json' } };
};
