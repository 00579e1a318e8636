import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { nodes, operationsOf } from '../nodes/all.cts';
import { plainRowOf } from '../nodes/plain.cts';
import type { Row } from '../nodes/row.cts';
import { atTheirPlaces } from '../support/places.cts';
import { virtualNow } from '../support/sandbox.cts';
import { sharedN8n, type Item, type TestN8n, type Workflow } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';
import { credentialOf, manualWorkflow, messagingNode, partnerNode } from './support/workflows.cts';

/*
 * A plain use of every operation, with the packed nodes in a real n8n: what leaves the node, and what the service contains
 * afterwards, as the tables of test/partner and test/messaging say. test/nodes/operations.test.cts runs all of their rows, and
 * compares the requests. samples.test.cts has nodes that feed each other.
 */

/** It waits for a callback: sendAndWait.test.cts. */
const elsewhere = ['message.sendAndWait'];

const installed = {
	'Bulk Messaging Partner': [partnerNode, 'partner'],
	'Bulk Messaging': [messagingNode, 'messaging'],
} as const;

let n8n: TestN8n;
beforeAll(async () => {
	n8n = await sharedN8n();
});

describe.each(nodes)('$name', (tested) => {
	const { name, node, rows } = tested;
	const [type, credential] = installed[name as keyof typeof installed];

	/** The item of the row, then the operation. */
	const toWorkflow = (
		{ operation, parameters, input = { json: {} } }: Row,
		{ credentials }: OpenSandbox,
	): Workflow => {
		const [resource = '', value = ''] = operation.split('.');
		const chosen: INodeParameters = { resource, operation: value, ...parameters };
		return {
			...manualWorkflow('everyOperation', {
				name: 'Tested',
				type,
				parameters: atTheirPlaces(node, chosen),
				credentials: credentialOf(credentials[credential]),
			}),
			pinData: { Start: [input as Item] },
		};
	};

	test.each(operationsOf(tested).filter((operation) => !elsewhere.includes(operation)))(
		'%s',
		async (operation) => {
			const row = plainRowOf(rows)(operation);
			// A service of its own: n8n's process remembers which names an account has used.
			const service = await startOpenSandbox({ speed: 0, now: virtualNow });
			await row.seed?.(service.sandbox);
			await n8n.importCredentials([service.credentials[credential]]);
			const workflow = toWorkflow(row, service);
			await n8n.importWorkflow(workflow);

			const execution = await n8n.run(workflow.id, { triggerNode: 'Start' });

			const { message, description } = execution.error ?? {};
			expect({ status: execution.status, message, description }).toEqual({ status: 'success' });
			// As JSON, it is what the tables say.
			row.output(execution.items('Tested').map(({ json }) => json as IDataObject));
			row.state?.(service);
		},
	);
});
