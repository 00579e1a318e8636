import { lookPausesMs } from '../../core/transport/lookThenSend';
import { Witness, witnessOf } from '../../core/transport/witness';

const settledMs = lookPausesMs.reduce((sum, wait) => sum + wait, 0);
const hour = 3_600_000;

describe('what a list has shown', () => {
	it('nothing yet: it proves nothing', () => {
		const witness = new Witness();
		expect(witness.newestId).toBeUndefined();
		witness.see('a', 5);
		expect(witness.listsWithin(hour)).toBe(false);
	});

	it('something as young: a look at that age would find it', () => {
		const witness = new Witness();
		witness.accept('a', 1_000);
		expect(witness.newestId).toBe('a');
		expect(witness.listsWithin(hour)).toBe(false);
		witness.see('a', 1_500);
		expect([499, 500, 501].map((ms) => witness.listsWithin(ms))).toEqual([false, true, true]);
	});

	it('the smallest age is kept', () => {
		const witness = new Witness();
		witness.accept('a', 1_000);
		witness.see('a', 1_500);
		witness.see('a', 9_000);
		expect(witness.listsWithin(500)).toBe(true);
		witness.accept('b', 10_000);
		witness.see('b', 10_100);
		expect(witness.listsWithin(100)).toBe(true);
	});

	it('anything but the newest proves nothing', () => {
		const witness = new Witness();
		witness.accept('a', 1_000);
		witness.accept('b', 2_000);
		witness.see('a', 2_001);
		expect(witness.listsWithin(hour)).toBe(false);
	});
});

describe('something that any look must find', () => {
	it('is as old as the longest look, and younger than an hour', () => {
		const witness = new Witness();
		expect(witness.settledOne(hour)).toBeUndefined();
		witness.accept('a', 0, 'u');
		const ages = [0, settledMs - 1, settledMs, hour - 1, hour];
		expect(ages.map((age) => witness.settledOne(age)?.id)).toEqual([
			undefined,
			undefined,
			'a',
			'a',
			undefined,
		]);
		expect(witness.settledOne(settledMs)).toEqual({ id: 'a', uuid: 'u', at: 0 });
	});

	it('is the newest if that is old enough, otherwise an older one', () => {
		const witness = new Witness();
		witness.accept('a', 0);
		witness.accept('b', settledMs);
		expect(witness.settledOne(settledMs)?.id).toBe('a');
		expect(witness.settledOne(2 * settledMs)?.id).toBe('b');
	});

	it('is none of those that were accepted shortly before each other', () => {
		const witness = new Witness();
		witness.accept('a', settledMs);
		witness.accept('b', 2 * settledMs - 1);
		expect(witness.settledOne(2 * settledMs)).toBeUndefined();
	});
});

it('accounts have nothing to do with each other', () => {
	witnessOf('one').accept('a');
	expect(witnessOf('one').newestId).toBe('a');
	expect(witnessOf('another').newestId).toBeUndefined();
});
