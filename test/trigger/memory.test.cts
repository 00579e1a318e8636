import {
	SeenCallbacks,
	seenBy,
	type CallAnswer,
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
	} satisfies CallAnswer;
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
});
