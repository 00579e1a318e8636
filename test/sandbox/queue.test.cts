import fc from 'fast-check';
import { DueQueue } from '../../sandbox/time/queue.cts';
import { Timeline, type TimedEvent } from '../../sandbox/time/timeline.cts';

test('what is due comes in order of time, and of one moment in the order it was added', () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (times) => {
			const queue = new DueQueue<number>();
			for (const [index, at] of times.entries()) queue.push(at, index);
			const expected = times
				.map((at, index) => ({ at, index }))
				.sort((one, other) => one.at - other.at || one.index - other.index);
			const seen = times.map(() => queue.pop()).map((due) => ({ at: due?.at, index: due?.event }));
			expect(seen).toEqual(expected);
			expect([queue.size, queue.pop()]).toEqual([0, undefined]);
		}),
	);
});

describe('the timeline', () => {
	const event = (uuid: string): TimedEvent => ({ kind: 'read', uuid });
	const nameOf = (one: TimedEvent) => ('uuid' in one ? one.uuid : one.kind);

	test('carries out what is due, each at its time, what it plans included', () => {
		const timeline = new Timeline(100);
		const seen: string[] = [];
		timeline.plan(130, event('late'));
		timeline.plan(110, event('early'));
		timeline.plan(50, event('overdue'));
		timeline.run(120, (one) => {
			seen.push(`${timeline.now} ${nameOf(one)}`);
			if (nameOf(one) === 'early') timeline.plan(115, event('planned'));
		});
		expect(seen).toEqual(['100 overdue', '110 early', '115 planned']);
		expect([timeline.now, timeline.nextAt]).toEqual([120, 130]);
	});

	test('a limit holds time back', () => {
		const timeline = new Timeline(0);
		timeline.plan(10, event('a'));
		timeline.plan(20, event('b'));
		const seen: string[] = [];
		timeline.run(
			100,
			(one) => seen.push(nameOf(one)),
			() => 15,
		);
		expect([seen, timeline.now]).toEqual([['a'], 15]);
	});
});
