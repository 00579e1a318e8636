import { owner } from '../n8n/owner.cts';
import { readSamples } from './samples.cts';
import type { OpenDemo } from './open.cts';

export function welcome({ url, faceUrl, access, logs }: OpenDemo, folder: string) {
	const [first] = readSamples();
	return `
Ready. Open   ${url}
Email         ${owner.email}
Password      ${owner.password}
Phones        ${faceUrl}
              Messages arrive there. You can reply, change outcomes, and see callbacks and requests.

To begin, sign in, open the workflow "${first.workflow.name}" and press "Execute workflow".
Its last nodes then show four delivered messages. The sandbox replaces the real service: nothing is sent and nothing
costs money. Notes in the other workflows and in workflows/README.md explain what each one does.

Sandbox       ${access.partnerBaseUrl} (partner API), ${access.messagingBaseUrl} (messaging API)
Data          ${folder}
Logs          ${logs.join(', ')}

Ctrl-C stops the demo. To see all options, run: npm run demo -- --help
`;
}
