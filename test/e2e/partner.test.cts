import { listSearch, loadOptions } from '../../nodes/BulkMessagingPartner/methods/lists';
import { demo } from '../../sandbox/demo.cts';
import { fromList } from './support/step.cts';
import { stepsOf } from './support/steps.cts';
import { describeStory } from './support/story.cts';
import { credentialOf, partnerNode } from './support/workflows.cts';

/** Every operation of the partner node, in one workflow as users build them: a node feeds the next. */

const story = describeStory({
	id: 'partnerStory',
	nodeType: partnerNode,
	credential: 'partner',
	steps: stepsOf.partner,
});

/** What the editor shows when somebody opens the list of a field, with the company chosen above it. */
describe('lists of a company', () => {
	const { flowers } = demo.companies;
	const asked = new Set<string>();
	/** As the editor asks for what is no search: the values to choose from, the fields to map. */
	const load = async <Answer,>(
		kind: 'options' | 'resource-mapper-fields',
		parameter: string,
		methodName: string,
		currentNodeParameters: Record<string, unknown>,
	) => {
		asked.add(methodName);
		return await story.n8n.session.ask<Answer>('POST', `/rest/dynamic-node-parameters/${kind}`, {
			path: `parameters.${parameter}`,
			nodeTypeAndVersion: { name: partnerNode, version: 1 },
			methodName,
			currentNodeParameters: {
				resource: 'dispatch',
				operation: 'create',
				...currentNodeParameters,
			},
			credentials: credentialOf(story.service.credentials.partner),
		});
	};
	const listed = async (parameter: string, method: string, companyId: unknown, filter?: string) => {
		asked.add(method);
		const { results } = await story.n8n.session.searchList({
			nodeType: partnerNode,
			version: 1,
			parameter,
			method,
			filter,
			parameters: { resource: 'dispatch', operation: 'get', companyId },
			credentials: credentialOf(story.service.credentials.partner),
		});
		return results.map(({ value }) => value);
	};
	const chosen = fromList(flowers, 'Camomile Flowers LLC');
	const ofFlowers = <Entry extends { companyId: number }>(entries: Iterable<Entry>) =>
		[...entries].filter(({ companyId }) => companyId === flowers);

	test('dispatches, the newest first', async () => {
		const expected = ofFlowers(story.service.store.dispatches.values())
			.map(({ id }) => id)
			.sort((a, b) => b - a);
		expect(expected).toHaveLength(4);
		expect(await listed('id', 'searchDispatches', chosen)).toEqual(expected);
	});

	test('sender names, one to choose', async () => {
		const expected = ofFlowers(story.service.store.senders.values()).map(({ id }) => id);
		expect(await listed('id', 'searchSenders', chosen)).toEqual(expected);
	});

	test('sender names, several to choose: those a dispatch of this channel can use', async () => {
		const options = await load<Array<{ value: number }>>(
			'options',
			'options.senderIds',
			'getSenders',
			{
				companyId: chosen,
				channelType: 'SMS',
			},
		);
		const expected = ofFlowers(story.service.store.senders.values())
			.filter(
				({ channelType, status, suspended }) =>
					channelType === 'SMS' && status === 'APPROVED' && !suspended,
			)
			.map(({ id }) => id);
		expect(expected.length).toBeGreaterThan(3);
		expect(options.map(({ value }) => value)).toEqual(expected);
	});

	test('documents', async () => {
		const { companyId } = story.jsonOf('Create company')[0] ?? {};
		const ofClient = fromList(Number(companyId), 'Lighthouse Books');
		expect(await listed('documentId', 'searchDocuments', ofClient)).toEqual(
			story.jsonOf('Upload document').map(({ id }) => id),
		);
	});

	test('no company chosen: the list says what to do', async () => {
		await expect(
			listed('id', 'searchSenders', { __rl: true, mode: 'list', value: '' }),
		).rejects.toThrow('Choose a company first');
	});

	test('companies', async () => {
		expect(await listed('companyId', 'searchCompanies', chosen)).toEqual([
			...story.service.store.companies.keys(),
		]);
		expect(await listed('companyId', 'searchCompanies', chosen, 'AMOMI')).toEqual([flowers]);
	});

	test('no list of the node was left out', () => {
		expect([...asked].sort()).toEqual(Object.keys({ ...listSearch, ...loadOptions }).sort());
	});
});
