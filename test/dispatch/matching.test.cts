import type { AcceptedRecipient } from '../../nodes/dispatches/plan/rows';
import { linkMessages } from '../../nodes/dispatches/steps/compare';
import { byNumber, place, type Placed } from '../../nodes/dispatches/steps/job';

const positionOf = (name: string) => name.charCodeAt(0) - 'a'.charCodeAt(0);

/** Of a recipient only what is compared. */
const to = (...destinations: string[]) =>
	destinations.map((destination) => ({
		destination,
		position: positionOf(destination),
	})) as unknown as AcceptedRecipient[];

/** `a1` is a message for the number `a`; `a1!` is one that the service rejected. */
const messages = (...names: string[]) =>
	names.map((name) => ({
		destination: name[0] ?? '',
		messageUuid: name.slice(0, 2),
		parts: 1,
		...(name.endsWith('!') && { status: 'FAILED' }),
	}));

const names = (placed: Placed | undefined) =>
	placed &&
	Object.fromEntries(
		placed.flatMap((one, position) => {
			const name = String.fromCharCode('a'.charCodeAt(0) + position);
			return one === undefined ? [] : [[name, one && one.messageUuid]];
		}),
	);

const placed = (ids: Record<string, string | null> = {}): Placed => {
	const given: Placed = [];
	for (const [name, id] of Object.entries(ids))
		given[positionOf(name)] = id === null ? null : messages(id)[0];
	return given;
};

describe('what a response says about the recipients of its request', () => {
	const read = (recipients: string[], given: string[], more: object = {}) => {
		const filled = { placed: placed(), highestEstimate: 0, unpriced: [], sumOfEstimates: 0 };
		const accepted = given.filter((name) => !name.endsWith('!')).length;
		const reply = {
			total: recipients.length,
			success: accepted,
			messages: messages(...given),
			...more,
		};
		const isClear = place(filled, to(...recipients), reply);
		return isClear ? names(filled.placed) : 'unclear';
	};

	test.each([
		['the same order', ['a', 'b'], ['a1', 'b1'], { a: 'a1', b: 'b1' }],
		['another order', ['a', 'b', 'c'], ['c1', 'a1', 'b1'], { a: 'a1', b: 'b1', c: 'c1' }],
		['one left out in front', ['a', 'b'], ['b1'], { a: null, b: 'b1' }],
		['one left out at the end', ['a', 'b'], ['a1'], { a: 'a1', b: null }],
		['one that is marked as rejected', ['a', 'b'], ['a1!', 'b1'], { a: null, b: 'b1' }],
		['no message', ['a', 'b'], [], { a: null, b: null }],
	])('%s: each recipient has its message', (_, recipients, given, expected) => {
		expect(read(recipients, given)).toEqual(expected);
	});

	test.each([
		['a number once more than it was sent', ['a', 'b'], ['a1', 'a2'], {}],
		["somebody else's message", ['a', 'b'], ['a1', 'x1'], {}],
		['the same message twice', ['a', 'b'], ['a1', 'a1'], {}],
		['more accepted than listed', ['a', 'b'], ['a1'], { success: 2 }],
		['another total', ['a', 'b'], ['a1', 'b1'], { total: 3 }],
		['another number of failures', ['a', 'b'], ['a1', 'b1'], { failed: 1 }],
		['no total', ['a'], ['a1'], { total: undefined }],
		['no count of the accepted', ['a'], ['a1'], { success: undefined }],
		['no messages', ['a'], ['a1'], { messages: undefined }],
		['no messages, and nobody accepted', ['a'], [], { messages: undefined }],
		['the same message twice, counted once', ['a', 'b'], ['a1', 'a1'], { success: 1 }],
	])('%s: unclear', (_, recipients, given, more) => {
		expect(read(recipients, given, more)).toBe('unclear');
	});
});

test.each([
	['rejected, then accepted', ['a1!', 'a2']],
	['accepted, then rejected', ['a2', 'a1!']],
])('of two messages to one number, %s: the accepted one counts', (_, given) => {
	expect(byNumber(messages(...given)).get('a')?.messageUuid).toBe('a2');
});

describe('the price estimates of several requests', () => {
	/** A request to two recipients: the parts of each message in the response, and the estimate. */
	const estimated = (
		replies: Array<{ parts?: number[]; estimate: number; estimatedParts?: number }>,
	) => {
		const filled = { placed: placed(), highestEstimate: 0, unpriced: [], sumOfEstimates: 0 };
		for (const { parts, ...estimate } of replies) {
			const listed = parts?.map((count, index) => ({
				...messages(`${'ab'[index]}1`)[0],
				destination: 'ab'[index] ?? '',
				messageUuid: `${index}`,
				parts: count,
			}));
			place(filled, to('a', 'b'), { total: 2, success: 2, messages: listed, ...estimate });
		}
		return filled.highestEstimate;
	};
	const first = { parts: [1, 1], estimate: 6, estimatedParts: 2 };

	test.each([
		['for as many parts as the request has', { parts: [1, 1], estimatedParts: 2 }, 18],
		['without a number of parts', { parts: [1, 1] }, 18],
		[
			"a recipient isn't listed, and may have as many parts as the longest",
			{ parts: [3], estimatedParts: 6 },
			18,
		],
		['the parts of a message are not known', { parts: [1, 0], estimatedParts: 9 }, 18],
		['no message is listed', { parts: [], estimatedParts: 9 }, 18],
		["the messages can't be read", { estimatedParts: 9 }, 18],
	])('%s: they are added up', (_, second, sum) => {
		expect(estimated([first, { estimate: 12, ...second }])).toBe(sum);
	});

	test('added up without the rounding errors of a machine', () => {
		expect(estimated([0.1, 0.2].map((estimate) => ({ ...first, estimate })))).toBe(0.3);
	});

	test.each([
		['of two messages', { parts: [1, 1], estimatedParts: 4 }],
		['of long messages', { parts: [3, 2], estimatedParts: 6 }],
		["of a request with one that isn't listed", { parts: [3], estimatedParts: 7 }],
	])('for more parts than the request has, %s: it is for the whole dispatch', (_, second) => {
		expect(estimated([first, { estimate: 12, ...second }])).toBe(12);
	});
});

describe("the dispatch's own list", () => {
	const link = (recipients: string[], known: Placed, given: string[]) =>
		names(linkMessages({ recipients: to(...recipients) }, known, messages(...given)));

	test.each<[string, string[], Placed, string[], Record<string, string | null>]>([
		['nothing known', ['a', 'b'], placed(), ['b1', 'a1'], { a: 'a1', b: 'b1' }],
		['some known', ['a', 'b'], placed({ b: 'b1' }), ['a1', 'b1'], { a: 'a1', b: 'b1' }],
		[
			'a rejected one is listed',
			['a', 'b'],
			placed({ a: 'a1', b: null }),
			['a1', 'b1!'],
			{ a: 'a1', b: null },
		],
		[
			'a rejected one is left out',
			['a', 'b'],
			placed({ a: 'a1', b: null }),
			['a1'],
			{ a: 'a1', b: null },
		],
		[
			'only the list shows the rejection',
			['a', 'b'],
			placed({ a: 'a1' }),
			['a1', 'b1!'],
			{ a: 'a1', b: null },
		],
	])('%s: everybody is linked', (_, recipients, known, given, expected) => {
		expect(link(recipients, known, given)).toEqual(expected);
	});

	test.each<[string, string[], Placed, string[]]>([
		['anybody is missing', ['a', 'b'], placed(), ['a1']],
		['anybody is in it twice', ['a', 'b'], placed(), ['a1', 'a2', 'b1']],
		['a stranger is in it', ['a'], placed({ a: 'a1' }), ['a1', 'x1']],
		['a known message is gone', ['a'], placed({ a: 'a1' }), ['a2']],
		[
			'a rejected one is listed as accepted',
			['a', 'b'],
			placed({ a: 'a1', b: null }),
			['a1', 'b1'],
		],
	])('%s: not whole', (_, recipients, known, given) => {
		expect(link(recipients, known, given)).toBeUndefined();
	});
});
