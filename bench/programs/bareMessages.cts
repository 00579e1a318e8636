/**
 * What somebody would write who needs no n8n: the same rows, the same number parser, the same requests, and Node's fetch.
 * Nothing is checked, nothing is matched, and nothing is kept.
 */
import { randomUUID } from 'node:crypto';
import { toDigits } from '../../core/recipients/phone';
import { batchSize, type Row, rowsUpTo } from '../support/recipients.cts';
import { measureEach } from './task.cts';

/** What it is told, as JSON in its only argument. */
export interface MessagesTask {
	/** Of the messaging API. */
	baseUrl: string;
	apiKey: string;
	senderName: string;
	sizes: number[];
}

const { baseUrl, apiKey, senderName, sizes } = JSON.parse(process.argv[2] ?? '') as MessagesTask;
const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };

async function send(rows: Row[]) {
	const prefix = randomUUID();
	for (let first = 0; first < rows.length; first += batchSize) {
		const messages = rows.slice(first, first + batchSize).map(({ phone, name }, index) => ({
			channelType: 'SMS',
			senderName,
			destination: toDigits(phone, 'RU').digits,
			content: name,
			externalMessageId: `${prefix}-${first + index}`,
		}));
		const init = { method: 'POST', headers, body: JSON.stringify(messages) };
		const response = await fetch(`${baseUrl}/message`, init);
		if (!response.ok) throw new Error(`${response.status}`);
		await response.json();
	}
}

void measureEach(sizes, rowsUpTo, send);
