import type { Random } from './random.cts';
import type { Answer } from './records.cts';
import type { ChangeName } from './routes.cts';
import type { Service } from './service.cts';
import { baseName, dispatchName } from './world.cts';

export const failure = (status: number): Answer => ({ status, body: { message: 'failed' } });

/** Stands for a connection that was never made. */
export const unreachable: Answer = { status: 0, body: '' };

/** Bodies as n8n's HTTP library gives them: JSON is parsed, anything else stays text. */
const oddBodies: readonly [unknown, ...unknown[]] = [
	'',
	{},
	[],
	null,
	'OK',
	{ ok: true },
	'<html></html>',
];

/** A success that says nothing. */
export const oddAnswer = (random: Random): Answer => ({
	status: 200,
	body: random.pick(oddBodies),
});

/** The answer to a request about something else. */
export const aboutAnother = (
	service: Service,
	random: Random,
	{ name, id }: { name: ChangeName; id?: number },
	real: Answer | undefined,
): Answer => {
	// Where one request holds everybody, only its ID tells our dispatch from another run's with the same name, recipients and
	// text. So the ID of that one isn't among the faults (test/dispatch/together.test has it for several requests).
	const others = service.dispatches.filter(
		(one) => one.id !== id && !(name === 'create' && baseName(one.name) === dispatchName),
	);
	const other = others[random.below(others.length)]?.id ?? 90_000;
	if (name === 'start') return { status: 200, body: { id: other, status: 'STARTED' } };
	if (name === 'stop') return { status: 200, body: { id: other, status: 'STOPPED' } };
	// Nobody could notice a new ID of a company that wasn't created.
	if (name === 'company') {
		return { status: 201, body: real === undefined ? {} : { companyId: 90_000 } };
	}
	if (name === 'send') {
		const item = { messageUuid: random.uuid(), externalMessageId: 'another', code: 201 };
		return { status: 200, body: { errors: false, items: [item] } };
	}
	const none = { total: 0, success: 0, failed: 0, messages: [] };
	const priceEstimate = { total: 0, currency: 'RUB', parts: 0 };
	const body = (real?.body ?? { status: 'CREATED', priceEstimate, ...none }) as object;
	return { status: 200, body: { ...body, id: other } };
};
