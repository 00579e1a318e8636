import { sandboxCredentials, type SandboxAccess } from '../service/credentials.cts';
import { handsOn, readSamples } from './samples.cts';
import type { Sandbox } from '../service/sandbox.cts';

/** The review of a sender name has five steps, so it takes about ten seconds. */
const reviewStepMs = 2000;

async function put(url: string, body: unknown) {
	const response = await fetch(url, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`The sandbox responded with ${response.status} to PUT ${url}.`);
}

/**
 * The callback URL for inbound messages, with the login and password the service needs. It belongs to the sample that hands
 * each message to the others: the service uses only one rule for a message.
 */
function inboundUrls(n8nUrl: string, access: SandboxAccess) {
	const callback = sandboxCredentials(access).find(({ type }) => type.endsWith('CallbackApi'));
	return readSamples()
		.filter(({ workflow }) => handsOn(workflow))
		.flatMap(({ workflow }) => workflow.nodes)
		.filter(({ parameters }) => [parameters.events].flat().includes('inbound_sent'))
		.map(({ webhookId }) => {
			const url = new URL(`${n8nUrl}/webhook/${webhookId}/confirmed`);
			url.username = String(callback?.data.login);
			url.password = String(callback?.data.password);
			return url.href;
		});
}

/** Sets up what you would set up on the provider's website, and shortens reviews, which take the provider days. */
export async function furnish({ access, controlUrl }: Sandbox, n8nUrl: string) {
	const rules = inboundUrls(n8nUrl, access).map((callbackUrl) => ({
		trafficCenterId: 1,
		callbackUrl,
	}));
	await put(`${controlUrl}/settings`, { reviewStepMs });
	await put(`${controlUrl}/inbound-rules`, { rules });
}
