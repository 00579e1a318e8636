/**
 * What somebody would write who needs no n8n: reads every page with Node's fetch, one after another, and counts. Nothing is
 * checked, and a message that is listed twice counts twice.
 */
import { reportId } from '../support/reportedMessages.cts';
import { measureEach, readTask } from './task.cts';

const { url, credentials, sizes } = readTask();
const perPage = 100;
const headers: Record<string, string> = { 'content-type': 'application/json' };

interface Message {
	status: string;
	parts: number;
	price: number;
	senderId: number;
	sentAt: string | null;
	deliveredAt: string | null;
}

async function get<Reply>(address: string): Promise<Reply> {
	const response = await fetch(url + address, { headers });
	if (!response.ok) throw new Error(`${response.status} to ${address}`);
	return (await response.json()) as Reply;
}

async function report(expected: number) {
	const dispatch = await get<{ name: string }>(`/dispatches/${reportId}`);
	const byStatus: Record<string, number> = {};
	const bySender: Record<number, { messages: number; parts: number; cost: number }> = {};
	const seconds: number[] = [];
	let count = 0;
	let total = Infinity;
	for (let page = 1; count < total; page++) {
		const query = `dispatchId=${reportId}&page=${page}&perPage=${perPage}`;
		const listed = await get<{ total: number; items: Message[] }>(`/messages?${query}`);
		total = listed.total;
		for (const { status, parts, price, senderId, sentAt, deliveredAt } of listed.items) {
			count++;
			byStatus[status] = (byStatus[status] ?? 0) + 1;
			const sender = (bySender[senderId] ??= { messages: 0, parts: 0, cost: 0 });
			sender.messages++;
			sender.parts += parts;
			sender.cost += price;
			if (sentAt !== null && deliveredAt !== null) {
				seconds.push((Date.parse(deliveredAt) - Date.parse(sentAt)) / 1_000);
			}
		}
	}
	seconds.sort((a, b) => a - b);
	const median = seconds[Math.floor(seconds.length / 2)];
	const figures = JSON.stringify({ ...dispatch, count, byStatus, bySender, median });
	if (count !== expected) throw new Error(`${count} instead of ${expected} messages: ${figures}`);
}

async function main() {
	const init = { method: 'POST', headers, body: JSON.stringify(credentials) };
	const response = await fetch(`${url}/auth/token`, init);
	const { token } = (await response.json()) as { token: string };
	headers.authorization = `Bearer ${token}`;
	await measureEach(sizes, (size) => size, report);
}

void main();
