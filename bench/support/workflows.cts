import type { Credential } from '../../host/n8n/credential.cts';
import type { Workflow } from '../../host/n8n/workflow.cts';

export interface Step {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	credential?: Credential;
	onError?: 'continueRegularOutput';
}

/** One of our nodes. `credential` says which service it talks to. */
const ourStep =
	(type: string) =>
	(name: string, credential: Credential, parameters: Record<string, unknown>): Step => ({
		name,
		type: `n8n-nodes-bulk-messaging.${type}`,
		typeVersion: 1,
		parameters,
		credential,
	});
export const partnerStep = ourStep('bulkMessagingPartner');
export const messagingStep = ourStep('bulkMessaging');

/** n8n's own HTTP Request node. With a credential it authenticates as our node does, so both pay for it. */
export function httpStep(
	name: string,
	parameters: Record<string, unknown>,
	credential?: Credential,
): Step {
	const access = credential && {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: credential.type,
	};
	const type = 'n8n-nodes-base.httpRequest';
	return { name, type, typeVersion: 4.2, parameters: { ...access, ...parameters }, credential };
}

/** Gives every entry of a list in the reply an item of its own, as our node does. */
export function splitStep(name: string, field: string): Step {
	const type = 'n8n-nodes-base.splitOut';
	return { name, type, typeVersion: 1, parameters: { fieldToSplitOut: field, options: {} } };
}

/** The node of `bench/programs/evaluate.cts`: it asks for the value of an expression and does nothing else. */
export function evaluateStep(name: string, expression: string): Step {
	return { name, type: 'CUSTOM.evaluate', typeVersion: 1, parameters: { value: expression } };
}

const loop: Step = {
	name: 'Loop Over Items',
	type: 'n8n-nodes-base.splitInBatches',
	typeVersion: 3,
	parameters: { batchSize: 1, options: {} },
};

const startName = 'Start';

const start = (id: string): Step => ({
	name: startName,
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	parameters: { httpMethod: 'POST', path: id, responseMode: 'onReceived', options: {} },
});

const to = (...names: string[]) => names.map((node) => ({ node, type: 'main', index: 0 }));

function assemble(id: string, steps: Step[], connections: Record<string, unknown>): Workflow {
	return {
		id,
		name: id,
		nodes: steps.map(({ credential, ...step }, index) => ({
			id: `${id}-${index}`,
			position: [index * 240, 0],
			...step,
			...(step.name === startName && { webhookId: id }),
			...(credential && {
				credentials: { [credential.type]: { id: credential.id, name: credential.name } },
			}),
		})),
		connections,
		settings: { executionOrder: 'v1' },
	};
}

/** One node after another, behind a webhook: so it runs as an active workflow does, without the editor's extra work. */
export function chain(id: string, steps: Step[]): Workflow {
	const all = [start(id), ...steps];
	const links = all.slice(1).map(({ name }, index) => [all[index].name, { main: [to(name)] }]);
	return assemble(id, all, Object.fromEntries(links) as Record<string, unknown>);
}

/** The same, but the items of the first step go through the second one by one. */
export function oneByOne(id: string, source: Step, step: Step): Workflow {
	return assemble(id, [start(id), source, loop, step], {
		[startName]: { main: [to(source.name)] },
		[source.name]: { main: [to(loop.name)] },
		// The first output is for what is done.
		[loop.name]: { main: [[], to(step.name)] },
		[step.name]: { main: [to(loop.name)] },
	});
}
