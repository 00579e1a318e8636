import type { Random } from './random.cts';

export const dispatchName = 'Spring sale';

/** The name that the user gave, without the code that the node may have added. */
export const baseName = (name: string): string => name.replace(/ #n8n-\S+$/, '');

/** How the service and the network are in one history. */
export interface World {
	/** How old the answer of each read may be, at most, in milliseconds. */
	lagMs: Record<'list' | 'get' | 'counters' | 'messages' | 'lookUp', number>;
	/** The share of requests that go wrong. */
	faultyChanges: number;
	faultyReads: number;
	hasSlowLists: boolean;
	/** The most entries on a page, whatever is asked for. */
	pageSize: number;
	listsNewestFirst: boolean;
	/** Whether counts and lists include the messages that the service rejected. */
	listsRejected: boolean;
	/** Of one message. */
	price: number;
	/** How long after a dispatch was created its price estimate is still shown as 0. */
	pricedAfterMs: number;
	/** Numbers that the service rejects. */
	blacklist: ReadonlySet<string>;
	/** How long delivery takes; some messages stay without a final status. */
	deliveryMs: number;
	/** Which entries the response to a send has, and whether they name their messages. */
	sendReply: 'entries' | 'acceptedOnly' | 'noIds' | 'empty';
}

const lags = [0, 0, 0, 300, 300, 3_000, 3_000, 20_000] as const;

/** Phone numbers of the history, in the order of the recipients. */
export const numberOf = (person: number): string => `7912000${String(1000 + person)}`;

export const makeWorld = (random: Random, people: number): World => {
	const lag = () => random.pick(lags);
	const isCalm = random.chance(0.3);
	const blacklist = new Set<string>();
	const share = random.pick([0, 0, 0, 0.2]);
	for (let person = 0; person < people; person++) {
		if (random.chance(share)) blacklist.add(numberOf(person));
	}
	return {
		lagMs: isCalm
			? { list: 0, get: 0, counters: 0, messages: 0, lookUp: 0 }
			: { list: lag(), get: lag(), counters: lag(), messages: lag(), lookUp: lag() },
		faultyChanges: random.pick([0, 0.05, 0.25]),
		faultyReads: random.pick([0, 0.02, 0.1]),
		hasSlowLists: random.chance(0.3),
		pageSize: random.pick([100, 100, 100, 100, 100, 3]),
		listsNewestFirst: random.chance(0.5),
		listsRejected: random.chance(0.15),
		price: random.pick([1, 2, 2.5, 0.1]),
		pricedAfterMs: 0,
		blacklist,
		deliveryMs: random.pick([2_000, 20_000, 200_000]),
		sendReply: 'entries',
	};
};
