import type { Clock } from './clock.cts';
import { createdBody, filledText } from './placing.cts';
import type { Random } from './random.cts';
import {
	acceptedIn,
	startOf,
	type Answer,
	type NewDispatch,
	type NewMessage,
	type Received,
	type Recipient,
	type SingleMessage,
	type StoredDispatch,
	type StoredMessage,
} from './records.cts';
import type { World } from './world.cts';

const senderId = 1;
const firstDispatchId = 100;

const failed = (status: number, code: number, msg: string): Answer => ({
	status,
	body: { error: { code, msg } },
});

/** The service's state, and the requests that change it. */
export class Service {
	readonly dispatches: StoredDispatch[] = [];

	readonly singles: SingleMessage[] = [];

	readonly companies: Array<{ id: number; name: string; by: string }> = [];

	readonly received: Received[] = [];

	private nextId = firstDispatchId;

	constructor(
		readonly clock: Clock,
		private readonly random: Random,
		readonly world: World,
	) {}

	create(by: string, given: NewDispatch): Answer {
		const { companyId, name, text, channelType, messages } = given;
		const { now } = this.clock;
		const id = this.nextId++;
		const head = { id, companyId, name, text, channelType, by, createdAt: now };
		const dispatch: StoredDispatch = { ...head, messages: [], moves: [] };
		this.dispatches.push(dispatch);
		return this.add(dispatch, messages);
	}

	append(id: number, { messages }: { messages: Recipient[] }): Answer {
		const dispatch = this.find(id);
		if (dispatch === undefined) return this.missing(id);
		if (dispatch.moves.length > 0) {
			return failed(400, 4000, 'messages can be added only in CREATED');
		}
		return this.add(dispatch, messages);
	}

	start(by: string, id: number): Answer {
		const dispatch = this.find(id);
		if (dispatch === undefined) return this.missing(id);
		if (dispatch.moves.length > 0) return failed(400, 4000, 'the dispatch is not in CREATED');
		const { now: at } = this.clock;
		dispatch.moves.push({ at, status: 'STARTED', by });
		for (const { destination, text } of acceptedIn(dispatch)) {
			this.received.push({ destination, text, at, by, dispatchId: id });
		}
		return { status: 200, body: { id, status: 'STARTED' } };
	}

	stop(by: string, id: number): Answer {
		const dispatch = this.find(id);
		if (dispatch === undefined) return this.missing(id);
		if (startOf(dispatch) === undefined) return failed(400, 4000, 'the dispatch is not started');
		dispatch.moves.push({ at: this.clock.now, status: 'STOPPED', by });
		return { status: 200, body: { id, status: 'STOPPED' } };
	}

	createCompany(by: string, { company }: { company: { name: string } }): Answer {
		const id = 7 + this.companies.length;
		this.companies.push({ id, name: company.name, by });
		return { status: 201, body: { companyId: id } };
	}

	send(by: string, messages: NewMessage[]): Answer {
		const { now: at } = this.clock;
		let errors = false;
		const items = messages.map(({ destination, content, channelType, externalMessageId }) => {
			if (this.world.blacklist.has(destination)) {
				errors = true;
				return {
					messageUuid: null,
					externalMessageId,
					code: 400,
					msg: 'the number is blacklisted',
				};
			}
			const uuid = this.random.uuid();
			const ownId = externalMessageId;
			this.singles.push({ uuid, ownId, destination, text: content, channelType, by, at });
			this.received.push({ destination, text: content, at, by, ownId });
			return { messageUuid: uuid, externalMessageId, code: 201 };
		});
		const shown = {
			entries: () => items,
			acceptedOnly: () => items.filter(({ code }) => code === 201),
			noIds: () => items.map((item) => ({ ...item, externalMessageId: null })),
			// `errors` alone says whether every message was created.
			empty: () => [],
		};
		return { status: 200, body: { errors, items: shown[this.world.sendReply]() } };
	}

	find(id: number): StoredDispatch | undefined {
		return this.dispatches.find((one) => one.id === id);
	}

	priceOf(dispatch: StoredDispatch): number {
		return acceptedIn(dispatch).length * this.world.price;
	}

	/** What an estimate of one message is at a moment: 0 until the service has calculated it. */
	shownPrice({ createdAt }: StoredDispatch, at: number): number {
		return at < createdAt + this.world.pricedAfterMs ? 0 : this.world.price;
	}

	missing(id: number): Answer {
		return failed(404, 4040, `dispatch ${id} not found`);
	}

	/** Adds recipients. The counts in the answer are those of this request. */
	private add(dispatch: StoredDispatch, recipients: Recipient[]): Answer {
		const added = recipients.map((recipient): StoredMessage => {
			const { destination } = recipient;
			return {
				uuid: this.random.uuid(),
				destination,
				text: filledText(dispatch.text, recipient),
				parts: 1,
				senderId,
				isAccepted: !this.world.blacklist.has(destination),
				at: this.clock.now,
				final: this.random.chance(0.1) ? 'FAILED' : 'DELIVERED',
			};
		});
		dispatch.messages.push(...added);
		return {
			status: 200,
			body: createdBody(dispatch, added, this.shownPrice(dispatch, this.clock.now)),
		};
	}
}
