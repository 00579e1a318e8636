import type { IHttpRequestOptions } from 'n8n-workflow';
import type { UploadFile } from '../contract/company';
import { WrittenBody, type Endpoint } from '../contract/endpoint';

type Encoded = Pick<IHttpRequestOptions, 'body' | 'headers'>;

/** Every file gets a name, because without one the platform would not write it as a file. */
const toForm = (files: Readonly<Record<string, UploadFile>>): FormData => {
	const form = new FormData();
	for (const [field, { filename, contentType, bytes }] of Object.entries(files)) {
		form.append(field, new File([new Uint8Array(bytes)], filename, { type: contentType }));
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
	// checkRequest has checked that every part is a file.
	if (endpoint.encoding === 'multipart') {
		return await encodeForm(toForm(body as Record<string, UploadFile>));
	}
	// Bytes, because n8n and its HTTP library would parse text again and drop an empty object.
	const { bytes } = body instanceof WrittenBody ? body : new WrittenBody(body);
	return { body: bytes, headers: { 'Content-Type': 'application/json' } };
};
