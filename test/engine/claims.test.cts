import { claim, claimsOn, textClaim } from '../../core/claims';

test('claims that only serve a hint never push out those that keep a message from being sent twice', () => {
	const owner = {};
	claim<string>('message order-0', owner).end('sent');
	claim<string>('message under way', owner);
	for (let index = 0; index <= 50_000; index++) claim(`${textClaim}${index}`, owner).end(index);
	expect(claimsOn('message order-0')).toMatchObject([{ result: 'sent' }]);
	expect(claimsOn('message under way')).toHaveLength(1);
	expect(claimsOn(`${textClaim}0`)).toEqual([]);
	expect(claimsOn(`${textClaim}50000`)).toHaveLength(1);
});

test('a name that is claimed again is kept, although an earlier claim on it ended long ago', () => {
	jest.isolateModules(() => {
		const fresh: typeof import('../../core/claims') = jest.requireActual('../../core/claims');
		fresh.claim<string>('message order-0', {}).end('sent');
		jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 130_000);
		fresh.claim<string>('message order-0', {});
		for (let index = 0; index <= 50_000; index++) fresh.claim(`message ${index}`, {});
		expect(fresh.claimsOn('message order-0')).toHaveLength(1);
		jest.restoreAllMocks();
	});
});

test('a run with more names than are usually kept: none is forgotten while a list may be out of date', () => {
	const names = Array.from({ length: 60_000 }, (_, index) => `message of a big run ${index}`);
	const claims = names.map((name) => claim<string>(name, {}));
	for (const one of claims) one.end('sent');
	const unseen = names.filter((name) => {
		const isUnseen = claimsOn(name).length === 0;
		claim(name, {}).end('sent');
		return isUnseen;
	});
	expect(unseen).toEqual([]);
	// Later they are dropped.
	jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 130_000);
	for (let index = 0; index < 70_000; index++) claim(`message of later runs ${index}`, {});
	expect(names.filter((name) => claimsOn(name, Infinity).length > 0)).toEqual([]);
	jest.restoreAllMocks();
});
