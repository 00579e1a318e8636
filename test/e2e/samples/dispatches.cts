import { jsonOf, type Check, type Sample } from './sample.cts';

const firstDispatch: Check = async (sample) => {
	const execution = await sample.execute();
	expect(sample.dispatch('My first dispatch')?.status).toBe('COMPLETED');
	expect(sample.texts('My first dispatch')).toEqual([
		['79161234567', 'Hello Anna, your bouquet is ready: Tulips. Camomile Flowers', 'delivered'],
		['79031234567', 'Hello Boris, your bouquet is ready: Peonies. Camomile Flowers', 'delivered'],
		['79261234567', 'Hello Vera, your bouquet is ready: Camomiles. Camomile Flowers', 'delivered'],
		['79011234567', 'Hello Gleb, your bouquet is ready: Roses. Camomile Flowers', 'delivered'],
	]);
	expect(jsonOf(execution, 'What happened')).toMatchObject([
		{ result: '4 of 4 messages delivered, 0 failed, 0 still on their way' },
	]);
	expect(jsonOf(execution, 'Every message')).toHaveLength(4);

	// Pressed again: nobody gets it a second time.
	expect(await sample.stops()).toContain('"My first dispatch" was already sent as dispatch ');
	expect(sample.dispatches('My first dispatch')).toHaveLength(1);
};

const hubSpot: Check = async (sample) => {
	const name = 'Points of the gold segment';
	const execution = await sample.execute();
	expect(sample.texts(name)).toEqual([
		['79162000001', text('Maria', 120), 'delivered'],
		['79032000002', text('Oleg', 80), 'delivered'],
		['79262000003', text('Nina', 310), 'delivered'],
		['79012000004', text('Pavel', 45), 'delivered'],
	]);
	expect(jsonOf(execution, 'To correct in the CRM')).toMatchObject([
		{ id: '55', number: '8 (916) 200-00-01', code: 'duplicate' },
		{ id: '56', number: '916 200-00', code: 'unreadableNumber' },
	]);
	expect(jsonOf(execution, 'Report')).toMatchObject([
		{ report: `${sample.dispatch(name)?.name}: 4 of 4 messages delivered, 0 failed` },
	]);
	expect(await sample.stops()).toMatch(
		/^"Points of the gold segment [\d-]{10}" was already sent as dispatch \d+ on /,
	);
	expect(sample.dispatches(name)).toHaveLength(1);
	await staysWithinPriceLimit(sample, name);

	function text(who: string, points: number) {
		return `${who}, your ${points} points are valid until the end of the month. Camomile Flowers`;
	}
};

/** With a dearer tariff the same run creates the dispatch and does not start it. */
async function staysWithinPriceLimit(sample: Sample, name: string) {
	const { store } = sample.sandbox;
	const { tariffs } = store;
	// As on another day: the name is free.
	for (const dispatch of sample.dispatches(name)) dispatch.name = 'Of yesterday';
	store.tariffs = tariffs.map((tariff) => ({
		...tariff,
		prices: tariff.prices.map((step) => ({ ...step, price: 100 })),
	}));
	const execution = await sample.execute();
	store.tariffs = tariffs;
	expect(sample.dispatch(name)?.status).toBe('CREATED');
	expect(jsonOf(execution, 'Too expensive, not started')).toMatchObject([
		{ report: expect.stringContaining('above the limit of 50') },
	]);
}

const pipedrive: Check = async (sample) => {
	const rows = async () => await sample.table('Samples: numbers to correct');
	const text = (who: string) =>
		`${who}, tulips for regulars at half price until Sunday. Camomile Flowers`;
	const rejects = [
		{ crmId: '705', number: '+7 905 300-00-02', code: 'duplicate' },
		{ crmId: '706', number: 'ask his secretary', code: 'unreadableNumber' },
	];
	await sample.execute();
	expect(sample.texts('Spring offer to regulars')).toEqual([
		['79173000001', text('Denis'), 'delivered'],
		['79053000002', text('Sofia'), 'delivered'],
		['79273000003', text('Lev'), 'delivered'],
		['79043000004', text('Alisa'), 'delivered'],
	]);
	expect(await rows()).toMatchObject(rejects);
	await sample.execute();
	expect(await rows()).toMatchObject(rejects);
	// It went on with the dispatch of the first run, which was sent: nobody gets it a second time.
	expect(sample.dispatches('Spring offer to regulars')).toHaveLength(1);
	expect(sample.texts('Spring offer to regulars')).toHaveLength(4);
};

/** Nothing is there before the decision; then everything, or nothing. */
const approval: Check = async (sample) => {
	const name = 'Workshop on Saturday';
	const decide = async (decision: string) => {
		const { id, status, ...execution } = await sample.execute();
		expect(status).toBe('waiting');
		const [{ json }] = execution.items('What to approve');
		const body = new FormData();
		body.set('field-0', decision);
		body.set('field-1', 'Fine');
		const response = await fetch(String(json.approvalLink), { method: 'POST', body });
		expect(response.status).toBe(200);
		return { asked: json, execution: await sample.ended(id) };
	};

	const refused = await decide('Do not send');
	expect(sample.dispatch(name)).toBeUndefined();
	expect(jsonOf(refused.execution, 'Not sent')).toMatchObject([{ report: 'Not sent: Fine' }]);

	const { asked, execution } = await decide('Send');
	expect(asked.summary).toContain('3 people get "Workshop on Saturday"');
	const text = (who: string, what: string) =>
		`${who}, see you on Saturday at 12 at the workshop: ${what}. Camomile Flowers`;
	expect(sample.texts(name)).toEqual([
		['79165000001', text('Elena', 'wreaths'), 'delivered'],
		['79035000002', text('Fedor', 'bouquets'), 'delivered'],
		['79265000003', text('Zoya', 'wreaths'), 'delivered'],
	]);
	expect(jsonOf(execution, 'Completion report')).toMatchObject([
		{ report: `${name}: 3 of 3 messages delivered, 0 failed, 0 pending`, approvedWith: 'Fine' },
	]);
};

export const dispatchChecks: Record<string, Check> = {
	'01-first-dispatch.json': firstDispatch,
	'02-hubspot-segment.json': hubSpot,
	'03-pipedrive-segment.json': pipedrive,
	'05-approve-before-sending.json': approval,
};
