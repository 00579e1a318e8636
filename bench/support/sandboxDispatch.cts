import type { Ground } from './ground.cts';
import { demo } from '../../sandbox/demo.cts';

const batchSize = 1_000;

/** A dispatch with so many messages, made through the API. */
export async function dispatchOf(size: number, { sandbox }: Ground): Promise<number> {
	const { partnerBaseUrl, login, password } = sandbox.access;
	const headers: Record<string, string> = { 'content-type': 'application/json' };
	const post = async <Reply,>(address: string, body: unknown): Promise<Reply> => {
		const init = { method: 'POST', headers, body: JSON.stringify(body) };
		const response = await fetch(partnerBaseUrl + address, init);
		if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${address}.`);
		return (await response.json()) as Reply;
	};

	const { token } = await post<{ token: string }>('/auth/token', { login, password });
	headers.authorization = `Bearer ${token}`;
	const { id } = await post<{ id: number }>('/dispatches', {
		companyId: demo.companies.flowers,
		name: `${size} messages`,
		senderIds: [demo.senders.mts],
		channelType: 'SMS',
		text: 'Dear {name}, your order {order} is ready.',
		messages: [],
	});
	for (let first = 0; first < size; first += batchSize) {
		const messages = Array.from({ length: Math.min(batchSize, size - first) }, (_, index) => ({
			destination: `7916${String(first + index).padStart(7, '0')}`,
			substitutions: { name: `Name ${first + index}`, order: first + index },
		}));
		await post(`/dispatches/${id}/messages`, { messages });
	}
	return id;
}
