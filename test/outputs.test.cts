import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { demo } from '../sandbox/demo.cts';
import { meanings } from '../scripts/outputMeanings.cts';
import { meaningKeys, meaningOf, outputFields, outputsDocument } from '../scripts/outputs.cts';
import { fromItems, itemOf, itemsUpTo, numberOf } from './dispatch/recipients.cts';
import { useMessaging } from './messaging/messages.cts';
import { undocumented } from './nodes/documented.cts';
import { byId, jsonOf, useSandbox, type NodeResult } from './support/sandbox.cts';
import * as bodies from './trigger/bodies.cts';
import { startHost } from './trigger/host.cts';

test('docs/outputs.md is what "npm run outputs" writes', () => {
	const page = readFileSync(join(__dirname, '..', 'docs', 'outputs.md'), 'utf8');
	expect(page).toBe(outputsDocument());
});

test.each([...outputFields])('every field of %s is explained', (operation, paths) => {
	expect(paths.filter((path) => meaningOf(operation, path) === undefined)).toEqual([]);
});

test('no explanation is left over', () => {
	const used = new Set(
		[...outputFields].flatMap(([operation, paths]) =>
			paths.map((path) => meaningKeys(operation, path).find((key) => key in meanings)),
		),
	);
	expect(Object.keys(meanings).filter((key) => !used.has(key))).toEqual([]);
});

/* What the rows of test/nodes/operations don't show: modes, options, and responses that confirm nothing. */
describe('what a run really returns is explained, and nothing else', () => {
	const ofPartner = useSandbox();
	const ofMessaging = useMessaging();

	const compareFields = (operation: string, items: IDataObject[]) => {
		expect(undocumented(operation, items)).toEqual([]);
		const fields = outputFields.get(operation) ?? [];
		const isThere = (name: string) => items.some((item) => name in item);
		return fields.filter((path) => !/[.[]/.test(path) && !isThere(path));
	};
	const soundJson = ({ error, items }: NodeResult) => {
		expect(error).toBeUndefined();
		return jsonOf(items);
	};
	const dispatchIn = async (mode: string, more: INodeParameters = {}, items = itemsUpTo(3)) => {
		const parameters = { ...fromItems, mode, testNumber: `+${numberOf(9)}`, ...more };
		return soundJson(await ofPartner.run('dispatch.send', parameters, { items }));
	};

	test('Dispatch: Send, Dry Run', async () => {
		const list = [
			...[itemOf(0), itemOf(0), { ...itemOf(1), phone: 'none' }, { ...itemOf(2), code: '' }],
			{ ...itemOf(3), phone: '+49 151 23456789' },
		];
		const items = [
			...(await dispatchIn('dryRun', { missingValues: 'skip' }, list)),
			...(await dispatchIn('dryRun', { priceLimit: 0.01 })),
		];
		await dispatchIn('send');
		items.push(...(await dispatchIn('dryRun', { ifSent: 'new' })));
		expect(compareFields('partner dispatch.send dryRun', items)).toEqual([]);
	});

	test('Dispatch: Send, Send a Test', async () => {
		expect(compareFields('partner dispatch.send test', await dispatchIn('test'))).toEqual([]);
	});

	test('Message: Send and Send Cascade, Dry Run', async () => {
		const step = { channelType: 'SMS', senderName: demo.senderNames.sms, text: 'Hello' };
		const shared = { destination: demo.numbers.mts, mode: 'dryRun' };
		const single = await ofMessaging.run('message.send', { ...shared, ...step });
		const cascade = await ofMessaging.run('message.sendCascade', {
			...shared,
			cascade: { step: [step] },
		});
		expect(soundJson(single)).toMatchObject([{ text: 'Hello', parts: 1 }]);
		expect(undocumented('messaging message.send dryRun', soundJson(single))).toEqual([]);
		expect(undocumented('messaging message.sendCascade dryRun', soundJson(cascade))).toEqual([]);
	});

	test.each([
		['dispatch.getReport', { id: byId(demo.dispatches.spring) }],
		['price.estimateCost', { text: 'Hello'.repeat(40), recipients: 2 }],
	])("%s, 'Simplify' off", async (operation, parameters) => {
		const result = await ofPartner.run(operation, { ...parameters, simplify: false });
		expect(compareFields(`partner ${operation} full`, soundJson(result))).toEqual([]);
	});

	test('a change that is not confirmed', async () => {
		const { faults } = ofPartner.sandbox;
		faults.add({
			kind: 'status',
			status: 201,
			body: '',
			match: { method: 'POST', path: '*/company' },
		});
		const parameters = { name: 'A', counteragentType: 'LEGAL', counteragentInn: '7707083893' };
		const items = soundJson(await ofPartner.run('company.create', parameters));
		expect(compareFields('unconfirmed', items)).toEqual([]);
	});

	test('events', async () => {
		const { inbound, ofDispatches, ofMessages } = bodies;
		const host = await startHost({
			parameters: { options: { addMessage: true, includeHeaders: true, includeQuery: true } },
		});
		await host.post('fast', [
			...[...Object.values(ofMessages), ...Object.values(ofDispatches), { event: 'new' }],
			{
				...inbound,
				message_uuid: 'picture',
				item: { specialContent: { url: 'https://x.example' } },
			},
		]);
		await host.settled();
		expect(compareFields('trigger', host.items)).toEqual([]);
	});
});
