import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { demo } from '../../sandbox/demo.cts';
import type { Sandbox } from '../../sandbox/sandbox.cts';
import { runNode, type NodeRun } from '../support/n8n.cts';
import { useSandbox } from '../support/sandbox.cts';
import { messagingCredential } from '../transport/service.cts';

/** Many messages, one from each item. */

export const useMessaging = () => useSandbox(new BulkMessaging());

/** Runs an operation at a service of the test's own. */
export const runAt = async (
	url: string,
	operation: string,
	parameters: object,
	options: Partial<NodeRun> = {},
) => {
	const [resource, value] = operation.split('.');
	return await runNode({
		...options,
		node: new BulkMessaging(),
		parameters: { resource, operation: value, ...parameters },
		credentials: messagingCredential(`${url}/api/v1`),
	});
};

/** How often one try looks for messages that may have been sent. */
export const looksOfOneTry = 6;

export const sendPath = '/api/v1/message';

export const numberOf = (index: number) => `7916${String(index).padStart(7, '0')}`;
export const textOf = (index: number) => `Hello ${index}`;
export const itemOf = (index: number): IDataObject => ({
	phone: `+${numberOf(index)}`,
	text: textOf(index),
	id: `order-${index}`,
});
export const itemsUpTo = (count: number) => Array.from({ length: count }, (_, i) => itemOf(i));

/** Each item's number and text, without own ids. */
export const fromItems: INodeParameters = {
	channelType: 'SMS',
	senderName: demo.senderNames.sms,
	destination: '={{ $json.phone }}',
	text: '={{ $json.text }}',
	options: { mostMessages: 10_000 },
};
export const withOwnIds: INodeParameters = { ...fromItems, externalMessageId: '={{ $json.id }}' };

/** The single messages the service holds, in the order they came. */
export const singlesOf = ({ world }: Sandbox) =>
	[...world.store.byUuid.values()].filter(({ single }) => single !== undefined);

export const destinationsOf = (sandbox: Sandbox) =>
	singlesOf(sandbox).map(({ destination }) => destination);

/** Money for any number of messages. */
export const fund = ({ world }: Sandbox) => (world.store.funds = 10 ** 12);

export const blacklist = ({ world }: Sandbox, numbers: readonly string[]) =>
	world.store.blacklists.set(
		demo.companies.flowers,
		new Map(numbers.map((number) => [number, 'Answered STOP'])),
	);
