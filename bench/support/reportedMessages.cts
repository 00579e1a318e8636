/** A finished dispatch and its messages, as the service lists them. */
import { senderId } from './receivedDispatch.cts';

export const reportId = 2;

const sent = Date.UTC(2026, 0, 1);
const at = (ms: number) => new Date(ms).toISOString();

/** Of ten messages nine are delivered, after 1 to 60 seconds. */
const messageOf = (index: number) => ({
	messageUuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
	destination: String(79_160_000_000 + index),
	text: `Dear Name ${index}, your order ${index} is ready.`,
	parts: 1,
	status: index % 10 === 9 ? 'FAILED' : 'DELIVERED',
	price: 3.5,
	senderId,
	brandId: 1,
	createdAt: at(sent),
	sentAt: at(sent + index),
	deliveredAt: index % 10 === 9 ? null : at(sent + index + 1_000 * (1 + (index % 60))),
});

export class ReportedMessages {
	/** Pages by their address: they are written once, because the service is to have next to no work of its own. */
	private readonly pages = new Map<string, string>();

	constructor(readonly total: number) {}

	get state() {
		const { total } = this;
		const failed = Math.floor(total / 10);
		const counters = { total, delivered: total - failed, failed, pending: 0 };
		return {
			id: reportId,
			name: 'Reported',
			status: 'COMPLETED',
			channelType: 'SMS',
			parts: counters,
			messages: counters,
			priceEstimate: 3.5 * total,
			createdAt: at(sent),
			startedAt: at(sent),
		};
	}

	/** The reply, as JSON. */
	page(address: string): string {
		const known = this.pages.get(address);
		if (known !== undefined) return known;
		const { searchParams } = new URL(address, 'http://bench');
		const page = Number(searchParams.get('page') ?? 1);
		const perPage = Number(searchParams.get('perPage') ?? 10);
		const first = (page - 1) * perPage;
		const length = Math.max(0, Math.min(perPage, this.total - first));
		const items = Array.from({ length }, (_, index) => messageOf(first + index));
		const written = JSON.stringify({ page, perPage, total: this.total, items });
		this.pages.set(address, written);
		return written;
	}
}
