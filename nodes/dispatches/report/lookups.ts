import type { IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import { isRecord } from '../../../core/json';
import { ServiceError } from '../../../core/transport/outcome';
import { textIn, wholeNumberIn } from '../../../core/transport/replyShape';
import { send } from '../../../core/transport/send';
import { accountCurrency } from '../steps/limits';

/** For data that a report doesn't need: `undefined` if the service rejects the call or its response can't be read. */
const unlessRejected = async <T>(asked: Promise<T>): Promise<T | undefined> =>
	await asked.catch((error: unknown) => {
		const isSettled =
			error instanceof ServiceError && (error.outcome === 'refused' || error.wasAnswered);
		if (isSettled) return undefined;
		throw error;
	});

/** A sender name. Both are empty if the service doesn't say. */
export interface ReportSender {
	name: string;
	/** The service picks the sender name by the recipient's operator, so its brand is that operator. */
	operator: string;
}

/** Data that several dispatches in a run may need. Each value is requested once. */
export class ReportLookups {
	private readonly senders = new Map<number, ReportSender>();

	private readonly asked = new Set<number>();

	private currency: Promise<string | undefined> | undefined;

	constructor(private readonly context: IExecuteFunctions) {}

	async sendersOf(
		senderIds: Iterable<number>,
		companyId: number | undefined,
	): Promise<ReadonlyMap<number, ReportSender>> {
		for (const id of senderIds) {
			if (id === 0 || this.asked.has(id)) continue;
			const query = { companyId };
			const sender: unknown = await unlessRejected(
				send(this.context, partner.senderGet, { path: { id }, query }),
			);
			this.asked.add(id);
			if (!isRecord(sender) || wholeNumberIn(sender.id) !== id) continue;
			this.senders.set(id, {
				name: textIn(sender, 'senderName') ?? '',
				operator: textIn(sender, 'brand') ?? '',
			});
		}
		return this.senders;
	}

	/** Neither a dispatch nor a message names its currency. */
	async currencyOfTariffs(): Promise<string> {
		return (await (this.currency ??= accountCurrency(this.context))) ?? '';
	}
}
