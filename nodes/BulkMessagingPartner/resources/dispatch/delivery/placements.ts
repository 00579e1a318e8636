import { NumberList } from '../../../../../core/recipients/numberList';

/** What the service made of one recipient. */
interface Placed {
	messageUuid: string;
	parts: number;
	senderId?: number;
}

type Message = Omit<Placed, 'senderId'> & { senderId?: number | null };

/** What the service made of each recipient, in their order. In columns: there are hundreds of thousands of them. */
export class Placements {
	private readonly uuids: Array<string | undefined> = [];

	private readonly parts = new NumberList();

	/** Not a number where there is none. */
	private readonly senderIds = new NumberList();

	/** How many the service took. */
	taken = 0;

	get length(): number {
		return this.uuids.length;
	}

	/** Nothing for one the service did not take. */
	add(message: Message | undefined): void {
		this.uuids.push(message?.messageUuid);
		this.parts.push(message?.parts ?? 0);
		this.senderIds.push(message?.senderId ?? NaN);
		if (message !== undefined) this.taken++;
	}

	at(index: number): Placed | undefined {
		const messageUuid = this.uuids[index];
		if (messageUuid === undefined) return undefined;
		const senderId = this.senderIds.at(index);
		return {
			messageUuid,
			parts: this.parts.at(index) ?? 0,
			senderId: Number.isNaN(senderId) ? undefined : senderId,
		};
	}

	ids(): ReadonlySet<string | undefined> {
		return new Set(this.uuids);
	}
}
