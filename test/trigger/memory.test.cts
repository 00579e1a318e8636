import {
	SeenCallbacks,
	seenBy,
	type CallResponse,
} from '../../nodes/BulkMessagingTrigger/callbacks/seen';

const limits = { keys: 3, hours: 25 };
const hour = 3_600_000;

/** A response to look at, whose end and close the test decides. */
const answerOf = (closed = false) => {
	const listeners: Array<() => void> = [];
	const answer = {
		statusCode: 200,
		writableEnded: false,
		closed,
		once: (_: 'close', listener: () => void) => listeners.push(listener),
	} satisfies CallResponse;
	const end = (statusCode: number) => Object.assign(answer, { statusCode, writableEnded: true });
	const close = () => {
		answer.closed = true;
		for (const listener of listeners.splice(0)) listener();
	};
	return { answer, end, close };
};

describe('memory of callbacks', () => {
	const judged = (memory: SeenCallbacks, key: string, now = 0) => {
		const { fresh, isUnderWay } = memory.judge([key], limits, now);
		return isUnderWay ? 'under way' : fresh.length > 0 ? 'new' : 'seen';
	};

	it.each([
		[199, 'new'],
		[200, 'seen'],
		[204, 'seen'],
		[300, 'new'],
		[400, 'new'],
		[500, 'new'],
	])('a call that was answered %s leaves its callback %s', (status, expected) => {
		const memory = new SeenCallbacks();
		const { answer, end, close } = answerOf();
		memory.begin(['a'], answer, Date.now());
		expect(judged(memory, 'a', Date.now())).toBe('under way');
		end(status);
		close();
		expect(judged(memory, 'a', Date.now())).toBe(expected);
	});

	it('a call counts as seen once it is answered, before its connection closes', () => {
		const memory = new SeenCallbacks();
		const { answer, end } = answerOf();
		memory.begin(['a'], answer, 0);
		end(200);
		expect(judged(memory, 'a', 1)).toBe('seen');
	});

	it('a callback is remembered from the moment its call closed, not from its resend', () => {
		const memory = new SeenCallbacks();
		const { answer, end, close } = answerOf();
		const now = Date.now();
		memory.begin(['a'], answer, now);
		end(200);
		close();
		expect(judged(memory, 'a', now + 26 * hour)).toBe('new');
	});

	it('a callback is remembered for exactly as many hours as the limit says', () => {
		const memory = new SeenCallbacks();
		const { answer, end } = answerOf();
		memory.begin(['a'], answer, 0);
		end(200);
		expect(judged(memory, 'a', 0)).toBe('seen');
		expect(judged(memory, 'a', 25 * hour)).toBe('seen');
		expect(judged(memory, 'a', 25 * hour + 1)).toBe('new');
	});

	it('as many callbacks are remembered as the limit says, and the oldest is forgotten first', () => {
		const memory = new SeenCallbacks();
		const see = (key: string) => {
			const { answer, end } = answerOf();
			memory.begin([key], answer, 0);
			end(200);
			expect(judged(memory, key)).toBe('seen');
		};
		const all = () => ['a', 'b', 'c', 'd', 'e'].map((key) => judged(memory, key));
		for (const key of ['a', 'b', 'c']) see(key);
		expect(all()).toEqual(['seen', 'seen', 'seen', 'new', 'new']);
		for (const key of ['d', 'e']) see(key);
		expect(all()).toEqual(['new', 'new', 'seen', 'seen', 'seen']);
	});

	it('a call whose caller hung up before it was begun is settled all the same', () => {
		const memory = new SeenCallbacks();
		const { answer, end } = answerOf(true);
		memory.begin(['a'], answer, 0);
		expect(judged(memory, 'a', 1)).toBe('under way');
		end(500);
		expect(judged(memory, 'a', 2)).toBe('new');
	});

	it('a call that n8n never answers does not block its resends for ever', () => {
		const memory = new SeenCallbacks();
		const { answer, close } = answerOf();
		memory.begin(['a'], answer, 0);
		close();
		expect(judged(memory, 'a', hour - 1)).toBe('under way');
		expect(judged(memory, 'a', hour)).toBe('new');
	});

	it('a call whose caller hung up before it was begun and that n8n never answers does not block its resends for ever', () => {
		const memory = new SeenCallbacks();
		memory.begin(['a'], answerOf(true).answer, 0);
		expect(judged(memory, 'a', hour - 1)).toBe('under way');
		expect(judged(memory, 'a', hour)).toBe('new');
	});

	it('a late close of the failed first call leaves the second one under way', () => {
		const memory = new SeenCallbacks();
		const first = answerOf();
		memory.begin(['a'], first.answer, Date.now());
		first.end(500);
		expect(judged(memory, 'a', Date.now())).toBe('new');
		memory.begin(['a'], answerOf().answer, Date.now());
		first.close();
		expect(judged(memory, 'a', Date.now())).toBe('under way');
	});

	it('a late end of the first call changes nothing about the second', () => {
		const memory = new SeenCallbacks();
		const first = answerOf();
		memory.begin(['a'], first.answer, 0);
		first.close();
		expect(judged(memory, 'a', hour)).toBe('new');
		const second = answerOf();
		memory.begin(['a'], second.answer, hour);
		first.end(200);
		expect(judged(memory, 'a', hour + 1)).toBe('under way');
	});

	it('one memory per trigger', () => {
		expect(seenBy('one trigger')).toBe(seenBy('one trigger'));
		expect(seenBy('one trigger')).not.toBe(seenBy('another'));
	});

	it('the memory of a trigger is dropped only after it has been quiet for more than 31 days', () => {
		const days = 24 * hour;
		const now = 1_000 * days;
		const quiet = seenBy('a quiet trigger', now);
		quiet.begin(['a'], answerOf().answer, now);
		seenBy('a trigger that starts 31 days later', now + 31 * days);
		expect(seenBy('a quiet trigger')).toBe(quiet);
		seenBy('a trigger that starts even later', now + 31 * days + 1);
		expect(seenBy('a quiet trigger')).not.toBe(quiet);
	});
});
