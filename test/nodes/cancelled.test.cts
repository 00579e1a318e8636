import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { runNode, type NodeRun } from '../support/n8n.cts';
import { plainRowOf } from './plain.cts';
import { nodes } from './all.cts';

/** A service that takes in every request and tells of it, but never answers anything but a log-in. */
const startSilent = async (onRequest: () => void) => {
	const server = createServer((request, response) => {
		if (request.url?.endsWith('/auth/token')) {
			response.setHeader('content-type', 'application/json');
			response.end('{"token": "t"}');
		} else onRequest();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
};

const partner = new BulkMessagingPartner();
const messaging = new BulkMessaging();
const rowsOf = (name: string) => nodes.find((one) => one.name === name)?.rows ?? [];

test.each<[string, NodeRun['node'], string, NodeRun['onError']]>([
	['company.getAll', partner, 'Bulk Messaging Partner', undefined],
	['company.create', partner, 'Bulk Messaging Partner', undefined],
	['dispatch.create', partner, 'Bulk Messaging Partner', undefined],
	['message.send', messaging, 'Bulk Messaging', undefined],
	['company.getAll', partner, 'Bulk Messaging Partner', 'continueRegularOutput'],
])(
	'%s: an execution that is stopped while the service is asked counts as cancelled, not as failed',
	async (operation, node, name, onError) => {
		let cancel: () => void = () => undefined;
		const service = await startSilent(() => cancel());
		try {
			const [resource = '', value = ''] = operation.split('.');
			const { run } = await runNode({
				node,
				parameters: {
					resource,
					operation: value,
					...plainRowOf(rowsOf(name))(operation).parameters,
				},
				credentials: {
					bulkMessagingPartnerApi: { baseUrl: service.url, login: 'l', password: 'p' },
					bulkMessagingApi: { baseUrl: `${service.url}/api/v1`, apiKey: 'k' },
				},
				onError,
				onStart: (stop) => {
					cancel = stop;
				},
			});
			expect(run.status).toBe('canceled');
		} finally {
			await service.close();
		}
	},
);
