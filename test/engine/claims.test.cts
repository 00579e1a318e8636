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
