import { NumberList } from '../../../../../core/recipients/numberList';

/** The message that the service created for one recipient. */
interface Placed {
	messageUuid: string;
	parts: number;
	senderId?: number;
}

type Message = Omit<Placed, 'senderId'> & { senderId?: number | null };

/** The message for each recipient, in order. Stored in columns to save memory: there can be hundreds of thousands. */
export class Placements {
	private readonly uuids: Array<string | undefined> = [];

	private readonly parts = new NumberList();

	/** `NaN` for messages without a sender ID. */
	private readonly senderIds = new NumberList();

	/** How many recipients the service accepted. */
	accepted = 0;

	get length(): number {
		return this.uuids.length;
	}

	/** `undefined` for a recipient the service rejected. */
	add(message: Message | undefined): void {
		this.uuids.push(message?.messageUuid);
		this.parts.push(message?.parts ?? 0);
		this.senderIds.push(message?.senderId ?? NaN);
		if (message !== undefined) this.accepted++;
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
