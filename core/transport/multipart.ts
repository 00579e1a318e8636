import { randomBytes } from 'crypto';
import type { UploadFile } from '../contract/company';

/** Quotes and line breaks in a file name would end the header early and start another one. */
const quoted = (name: string) =>
	name.replace(
		/["\r\n]/g,
		(char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
	);

/**
 * A `multipart/form-data` body as bytes. n8n does not repeat a form or a stream after it has renewed a token; bytes it
 * does.
 */
export const encodeMultipart = (parts: Readonly<Record<string, UploadFile>>) => {
	const boundary = `----bulk-messaging-${randomBytes(16).toString('hex')}`;
	const chunks: Uint8Array[] = [];
	for (const [field, { filename, contentType, bytes }] of Object.entries(parts)) {
		chunks.push(
			Buffer.from(
				`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(field)}"; filename="${quoted(filename)}"\r\n` +
					`Content-Type: ${contentType.replace(/[^\w/.+-]/g, '')}\r\n\r\n`,
			),
			bytes,
			Buffer.from('\r\n'),
		);
	}
	chunks.push(Buffer.from(`--${boundary}--\r\n`));
	return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(chunks) };
};
