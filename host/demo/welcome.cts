import { owner } from '../n8n/owner.cts';
import { readSamples } from '../n8n/samples.cts';
import type { OpenDemo } from './open.cts';

export function welcome({ url, faceUrl, access, logs }: OpenDemo, folder: string) {
	const [first] = readSamples();
	return `
Ready. Open   ${url}
E-mail        ${owner.email}
Password      ${owner.password}
Phones        ${faceUrl}
              What is sent arrives there. You can answer, change what happens, and see callbacks and requests.

First: sign in, open the workflow "${first.workflow.name}" and press "Execute workflow".
Its last nodes then show four messages that were delivered. The sandbox stands in for the service: nothing is sent
and nothing costs money. What the other workflows show is told in each of them and in workflows/README.md.

Sandbox       ${access.partnerBaseUrl} (partner API), ${access.messagingBaseUrl} (messaging API)
Kept in       ${folder}
Logs          ${logs.join(', ')}

Ctrl-C stops the demo. npm run demo -- --help shows what else it can do.
`;
}
