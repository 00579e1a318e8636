import { judge } from '../../core/transport/judge';
import { errorIn, saysFailure } from '../../core/transport/replyShape';

describe('what answers a custom question', () => {
	const verdictOn = (body: unknown) =>
		judge(
			{ method: 'GET', replyType: 'any', repeatable: true },
			{ kind: 'answer', status: 200, headers: {}, body, bytes: 0 },
			0,
		).verdict;

	it.each(['Hello {name}', 'one [two', 'a{b', 17, true])('%j is an answer', (body) => {
		expect(verdictOn(body)).toBe('done');
	});

	it.each(['{"half": ', ' {"half": ', '\n\n[1, 2', '[{"a":'])(
		'%j is JSON that ends early, so it is not',
		(body) => {
			expect(verdictOn(body)).toBe('unknown');
		},
	);
});

it('a list of words is not a status: only a text says that something failed', () => {
	const reply = { status: ['error'], msg: 'Fine' };
	expect(saysFailure(reply)).toBe(false);
	expect(errorIn(reply)).toBeUndefined();
	expect(saysFailure({ ...reply, status: 'error' })).toBe(true);
});
