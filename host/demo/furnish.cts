import { sandboxCredentials } from '../n8n/credentials.cjs';
import { needsPublishing, readSamples } from '../n8n/samples.cjs';

/** A sender name goes through its five steps of review in about ten seconds. */
const reviewStepMs = 2000;

/**
 * @param {string} url
 * @param {unknown} body
 */
async function put(url, body) {
	const response = await fetch(url, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`The sandbox answered ${response.status} to PUT ${url}.`);
}

/**
 * The addresses of the samples that want to hear of inbound messages, with login and password as the service needs them.
 * @param {string} n8nUrl
 * @param {import('../n8n/credentials.cjs').SandboxAccess} access
 */
function inboundAddresses(n8nUrl, access) {
	const callback = sandboxCredentials(access).find(({ type }) => type.endsWith('CallbackApi'));
	return readSamples()
		.filter(({ workflow }) => needsPublishing(workflow))
		.flatMap(({ workflow }) => workflow.nodes)
		.filter(({ parameters }) => [parameters.events].flat().includes('inbound_sent'))
		.map(({ webhookId }) => {
			const url = new URL(`${n8nUrl}/webhook/${webhookId}/confirmed`);
			url.username = String(callback?.data.login);
			url.password = String(callback?.data.password);
			return url.href;
		});
}

/**
 * What a person does in the account cabinet, and what takes the service's staff days: the sandbox does both at once.
 * @param {import('../service/sandbox.cjs').Sandbox} sandbox
 * @param {string} n8nUrl
 */
export async function furnish({ access, controlUrl }, n8nUrl) {
	const rules = inboundAddresses(n8nUrl, access).map((callbackUrl) => ({
		trafficCenterId: 1,
		callbackUrl,
	}));
	await put(`${controlUrl}/settings`, { reviewStepMs });
	await put(`${controlUrl}/inbound-rules`, { rules });
}
