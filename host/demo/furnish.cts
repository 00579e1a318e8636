import { sandboxCredentials, type SandboxAccess } from '../n8n/credentials.cts';
import { needsPublishing, readSamples } from '../n8n/samples.cts';
import type { Sandbox } from '../service/sandbox.cts';

/** A sender name goes through its five steps of review in about ten seconds. */
const reviewStepMs = 2000;

async function put(url: string, body: unknown) {
	const response = await fetch(url, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`The sandbox answered ${response.status} to PUT ${url}.`);
}

/** The URLs of the samples that want to hear of inbound messages, with login and password as the service needs them. */
function inboundUrls(n8nUrl: string, access: SandboxAccess) {
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

/** What a person does on the service's website, and what takes the service's staff days: the sandbox does both at once. */
export async function furnish({ access, controlUrl }: Sandbox, n8nUrl: string) {
	const rules = inboundUrls(n8nUrl, access).map((callbackUrl) => ({
		trafficCenterId: 1,
		callbackUrl,
	}));
	await put(`${controlUrl}/settings`, { reviewStepMs });
	await put(`${controlUrl}/inbound-rules`, { rules });
}
