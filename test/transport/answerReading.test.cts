import { errorIn, saysFailure } from '../../core/transport/replyShape';

it('a list of words is not a status: only a text says that something failed', () => {
	const reply = { status: ['error'], msg: 'Fine' };
	expect(saysFailure(reply)).toBe(false);
	expect(errorIn(reply)).toBeUndefined();
	expect(saysFailure({ ...reply, status: 'error' })).toBe(true);
});
