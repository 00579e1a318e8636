import { demo } from '../../sandbox/demo.cts';
import { hintsOf } from '../support/n8n.cts';
import { byId, useSandbox } from '../support/sandbox.cts';

/** Names that the service may reject are sent, with a hint. */

const bench = useSandbox();
const ofMegafon = (name: string) =>
	`MegaFon may reject "${name}": for sender names in the messaging API, it doesn't allow "+" or spaces.`;

const create = async (senderName: string, more: object) =>
	await bench.run('sender.create', {
		companyId: byId(demo.companies.flowers),
		senderName,
		channelType: 'SMS',
		brand: 'MTS',
		commonType: 'COMMON',
		dateFrom: '2026-04-01',
		...more,
	});
/** The service may reject it: the node continues, so that its hints stay. */
const update = async (senderName: string) =>
	await bench.run(
		'sender.update',
		{
			companyId: byId(demo.companies.flowers),
			id: byId(demo.senders.draft),
			updateFields: { senderName },
		},
		{ onError: 'continueRegularOutput' },
	);

test.each<[string, object, string[]]>([
	['AB', {}, []],
	['A B', {}, []],
	['A B', { brand: 'MEGAFON' }, [ofMegafon('A B')]],
	['+', { brand: 'MEGAFON' }, [ofMegafon('+')]],
])('Create %j %j: %j', async (name, more, hints) => {
	const result = await create(name, more);
	expect(result.error).toBeUndefined();
	expect(hintsOf(result)).toEqual(hints);
});

test.each<[string, string[]]>([
	['TULIPS', []],
	['AB', []],
	['TULIPS +', [ofMegafon('TULIPS +')]],
])('Update to %j, whose operator is not shown: %j', async (name, hints) => {
	const result = await update(name);
	expect(hintsOf(result)).toEqual(hints);
});
