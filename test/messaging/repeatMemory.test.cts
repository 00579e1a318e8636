import type { IExecuteFunctions } from 'n8n-workflow';
import type { Fate, Outgoing } from '../../nodes/BulkMessaging/resources/message/delivery/fate';
import { hintAtRepeats } from '../../nodes/BulkMessaging/resources/message/delivery/repeats';

/** The memory behind the hint about repeated messages: the last 10,000, of whatever runs. */

const most = 10_000;

const repeatsIn = (numbers: readonly number[]): number => {
	let repeats = 0;
	// Only what the hint needs.
	const context = {
		getWorkflow: () => ({ id: 'memory' }),
		addExecutionHints: ({ message }: { message: string }) => {
			repeats = Number(message.split(' ')[0].replaceAll(',', ''));
		},
	} as unknown as IExecuteFunctions;
	const entries = numbers.map(
		(number, itemIndex): Outgoing => ({
			itemIndex,
			isGiven: false,
			usedBefore: 'skip',
			body: {
				channelType: 'SMS',
				senderName: 'A',
				destination: String(79_160_000_000 + number),
				content: 'Hello',
			},
		}),
	);
	hintAtRepeats(
		context,
		entries,
		entries.map((): Fate => ({ kind: 'accepted' })),
	);
	return repeats;
};
const range = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => from + index);

it('forgets the oldest messages first, and only when there are more than it keeps', () => {
	expect(repeatsIn(range(0, most))).toBe(0);
	expect(repeatsIn(range(0, most))).toBe(most);
	// Number 0 is the newest now, so the next one that is forgotten is number 1.
	expect(repeatsIn([0])).toBe(1);
	expect(repeatsIn([most])).toBe(0);
	expect(repeatsIn([0, 2, most])).toBe(3);
	expect(repeatsIn([1])).toBe(0);
	// Several times as many as it keeps.
	expect(repeatsIn(range(20_000, 55_000))).toBe(0);
	expect(repeatsIn([20_000, 44_999])).toBe(0);
	expect(repeatsIn([54_999])).toBe(1);
	expect(repeatsIn(range(45_002, 55_000))).toBe(most - 2);
});
