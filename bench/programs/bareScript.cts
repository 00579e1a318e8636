/**
 * What somebody would write who needs no n8n: the same rows, the same number parser, the same requests, and Node's fetch.
 * Nothing is checked, nobody is left out, and nothing is kept.
 */
import { toDigits } from '../../core/recipients/phone';
import { senderId } from '../support/receivedDispatch.cts';
import { batchSize, type Row, rowsUpTo, text } from '../support/recipients.cts';
import { measureEach, readTask } from './task.cts';

const { url, credentials, sizes } = readTask();

const headers: Record<string, string> = { 'content-type': 'application/json' };

async function post<Reply>(address: string, body: unknown): Promise<Reply> {
	const init = { method: 'POST', headers, body: JSON.stringify(body) };
	const response = await fetch(url + address, init);
	if (!response.ok) throw new Error(`${response.status} to ${address}`);
	return (await response.json()) as Reply;
}

async function send(rows: Row[]) {
	const head = { companyId: 1, name: 'Bench', senderIds: [senderId], channelType: 'SMS', text };
	let address = '/dispatches';
	for (let first = 0; first < rows.length; first += batchSize) {
		const messages = rows
			.slice(first, first + batchSize)
			.map(({ phone, name, order, discount }) => ({
				destination: toDigits(phone, 'RU').digits,
				substitutions: { name, order: String(order), discount },
			}));
		const { id } = await post<{ id: number }>(
			address,
			first === 0 ? { ...head, messages } : { messages },
		);
		address = `/dispatches/${id}/messages`;
	}
}

async function main() {
	const { token } = await post<{ token: string }>('/auth/token', credentials);
	headers.authorization = `Bearer ${token}`;
	await measureEach(sizes, rowsUpTo, send);
}

void main();
