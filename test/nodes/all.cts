import type { INodeType } from 'n8n-workflow';
import type { Endpoint } from '../../core/contract/endpoint';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import type { Resource } from '../../core/engine/operation';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { messagingResources } from '../../nodes/BulkMessaging/resources';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { partnerResources } from '../../nodes/BulkMessagingPartner/resources';
import { demo } from '../../sandbox/demo.cts';
import { rows as messagingRows } from '../messaging/table/index.cts';
import { rows as partnerRows } from '../partner/table/index.cts';
import { stepsOf } from '../e2e/support/steps.cts';
import type { Step } from '../e2e/support/step.cts';
import type { Wire } from '../support/sandbox.cts';
import type { Row } from './row.cts';

/** An action node, with everything the suites walk over. */
export interface TestedNode {
	name: string;
	node: INodeType;
	resources: readonly Resource[];
	endpoints: Record<string, Endpoint>;
	rows: Row[];
	/** What the tests in a real n8n run. */
	steps: Step[];
	/** The address the paths in the rows are told from. */
	baseUrl: string;
	/** What comes before the requests of a row. */
	logIn: Wire[];
	/** Operations that ask the service once for all items, or take one only: none of several can be refused. */
	asksOnce: string[];
}

const partnerLogIn: Wire = {
	method: 'POST',
	path: '/auth/token',
	body: { login: demo.login, password: demo.password },
};

export const nodes: TestedNode[] = [
	{
		name: 'Bulk Messaging Partner',
		node: new BulkMessagingPartner(),
		resources: partnerResources,
		endpoints: partner,
		rows: partnerRows,
		steps: stepsOf.partner,
		baseUrl: 'http://127.0.0.1',
		logIn: [partnerLogIn],
		asksOnce: ['dispatch.preview'],
	},
	{
		name: 'Bulk Messaging',
		node: new BulkMessaging(),
		resources: messagingResources,
		endpoints: messaging,
		rows: messagingRows,
		steps: stepsOf.messaging,
		baseUrl: `http://127.0.0.1${demo.messagingPath}`,
		logIn: [],
		asksOnce: ['message.sendAndWait'],
	},
];

/** `resource.operation`, as workflows store them. */
export const operationsOf = ({ resources }: Pick<TestedNode, 'resources'>): string[] =>
	resources.flatMap(({ value, operations }) =>
		operations.map((operation) => `${value}.${operation.value}`),
	);
