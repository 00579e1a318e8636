import { serviceTime } from '../../core/transport/serviceTime';
import { send } from '../../core/transport/send';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { dateIn } from '../../core/transport/headers';
import { attempt } from '../support/transportNode.cts';
import type { Behaviour } from '../support/server.cts';
import { dispatch, quick } from './calls.cts';
import {
	inOrder,
	messagingCredential,
	partnerCredential,
	serve,
	servePartner,
} from './service.cts';

const at = (seconds: string) => `Mon, 02 Mar 2026 07:00:${seconds} GMT`;
const ms = (seconds: number) => Date.UTC(2026, 2, 2, 7, 0, seconds);

it.each([
	[at('05'), ms(5)],
	['2026-03-02T07:00:05Z', ms(5)],
	['1.5', undefined],
	['1772434805', undefined],
	['soon', undefined],
	['', undefined],
	[undefined, undefined],
	[[at('05')], undefined],
])('the time in the header %j is %j', (date, expected) => {
	expect(dateIn({ date }, 'date')).toBe(expected);
});

/** Answers with a status and this date, or with none. */
const answer =
	(date: string, status = 200): Behaviour =>
	(_, response) => {
		response.sendDate = false;
		if (date !== '') response.setHeader('date', date);
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(dispatch));
	};

it.each<[string, expected: number | undefined, ...answers: [Behaviour, ...Behaviour[]]]>([
	['that of the response', ms(5), answer(at('05'))],
	['the newest', ms(9), answer(at('05')), answer(at('09')), answer(at('07'))],
	['not forgotten', ms(5), answer(at('05')), answer(''), answer('soon')],
	['unknown without a header', undefined, answer('')],
	[
		'not that of a failure, which a proxy may have sent',
		ms(5),
		answer(at('09'), 503),
		answer(at('05')),
	],
])('the time of the service is %s', async (_, expected, ...answers) => {
	const service = await servePartner(inOrder(...answers));
	const { reply } = await attempt(partnerCredential(service.url), async (context) => {
		for (let count = 0; count < answers.length; count++) {
			await send(context, partner.dispatchGet, { path: { id: 5 } }, { retry: quick });
		}
		return serviceTime(context, 'partner');
	});
	expect(reply).toBe(expected);
});

it('is kept for each API and run', async () => {
	const service = await serve(inOrder(answer(at('05')), answer('')));
	const credential = messagingCredential(`${service.url}/api/v1`);
	const ask = async () =>
		await attempt(credential, async (context) => {
			await send(context, messaging.balance, {});
			return [serviceTime(context, 'messaging'), serviceTime(context, 'partner')];
		});
	expect((await ask()).reply).toEqual([ms(5), undefined]);
	expect((await ask()).reply).toEqual([undefined, undefined]);
});
