import type { IExecuteFunctions } from 'n8n-workflow';
import { connect } from '../../core/transport/connection';
import type { DispatchId } from './plan/rows';

/*
 * What this process knows and a list may not show yet. Nothing is sent twice without it: it saves people a second press, and requests.
 */

/** Longer than a dispatch that isn't started can be in the way. */
const notedMs = 60 * 60_000;

/** Notes by name, the oldest first. Each is dropped after an hour, or earlier if all together get too large. */
class Notes<Note> {
	private readonly notes = new Map<string, { note: Note; at: number; size: number }>();

	private size = 0;

	constructor(private readonly mostSize: number) {}

	get(name: string): Note | undefined {
		return this.notes.get(name)?.note;
	}

	get all(): Note[] {
		return [...this.notes.values()].map(({ note }) => note);
	}

	set(name: string, note: Note, size = 1): void {
		this.drop(name);
		this.notes.set(name, { note, at: performance.now(), size });
		this.size += size;
		for (const [oldest, { at }] of this.notes) {
			if (this.size <= this.mostSize && performance.now() - at < notedMs) break;
			this.drop(oldest);
		}
	}

	drop(name: string): void {
		this.size -= this.notes.get(name)?.size ?? 0;
		this.notes.delete(name);
	}
}

/** A dispatch that this process has started. */
export interface StartedHere {
	account: string;
	id: DispatchId;
	companyId: number;
	base: string;
	content: string;
	/** When that was (`performance.now()`). */
	at: number;
}

/** The people in a dispatch that was started. */
export interface Held {
	/** The text of each person, by number; `undefined` if the service doesn't show it. */
	readonly texts: ReadonlyMap<string, string | undefined>;
	/** How many messages were read. */
	readonly count: number;
}

const dead = new Notes<true>(100_000);
const started = new Notes<StartedHere>(100_000);
const atWork = new Map<string, object>();
/** Nobody can be added to a dispatch that was started, so who is in it is read once. The size is the number of people. */
const held = new Notes<Held>(500_000);

/** Whether no other run is at work on what has this name. Then this one is. */
export const takeName = (name: string, run: object): boolean => {
	const owner = atWork.get(name) ?? run;
	if (owner === run) atWork.set(name, run);
	return owner === run;
};

export const releaseNames = (run: object): void => {
	for (const [name, owner] of atWork) if (owner === run) atWork.delete(name);
};

/** What this process knows about the dispatches of one account. */
export interface Memory {
	/** The run that made it has returned and will never start it. */
	isDead(id: number): boolean;
	noteDead(id: number): void;
	startedHere(companyId: number): StartedHere[];
	noteStarted(one: Omit<StartedHere, 'account' | 'at'>): void;
	/** The service doesn't know it any more, such as a sandbox that was reset. */
	forget(id: DispatchId): void;
	heldIn(id: number): Held | undefined;
	noteHeld(id: number, people: Held): void;
	/** Whether no other run is sending under this name. Then this one is, until its names are released. */
	claim(name: string, run: object): boolean;
}

export const memoryOf = async (context: IExecuteFunctions): Promise<Memory> => {
	const { identity: account } = await connect(context, 'partner');
	const nameOf = (id: DispatchId) => `${account} ${id}`;
	return {
		isDead: (id) => dead.get(nameOf(id)) === true,
		noteDead: (id) => dead.set(nameOf(id), true),
		startedHere: (companyId) =>
			started.all.filter((one) => one.account === account && one.companyId === companyId),
		noteStarted: (one) => started.set(nameOf(one.id), { ...one, account, at: performance.now() }),
		forget: (id) => started.drop(nameOf(id)),
		heldIn: (id) => held.get(nameOf(id)),
		noteHeld: (id, people) => held.set(nameOf(id), people, people.count),
		claim: (name, run) => takeName(`${account} ${name}`, run),
	};
};
