import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Resource } from '../../core/engine/operation';
import { BulkMessagingPartnerApi } from '../../credentials/BulkMessagingPartnerApi.credentials';
import { readSamples } from '../../host/n8n/samples.cts';
import { fingerprint } from '../../host/process/fingerprint.cts';
import { projectFolder } from '../../host/process/folders.cts';
// With .ts: tsx would take the .node.json beside each.
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node.ts';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node.ts';
import { partnerResources } from '../../nodes/BulkMessagingPartner/resources';
import { BulkMessagingTrigger } from '../../nodes/BulkMessagingTrigger/BulkMessagingTrigger.node.ts';

/** The README's pictures. Each is taken by an end-to-end test, and has to be taken again when what it shows has changed. */

const folder = path.join(projectFolder, 'docs', 'screenshots');
/** Beside the pictures: a fingerprint of what each of them showed when it was taken. */
const register = path.join(folder, 'taken.json');

const nodes = [BulkMessaging, BulkMessagingPartner, BulkMessagingTrigger].map(
	(Type) => new Type().description,
);
const icons = ['bulkMessaging.svg', 'bulkMessaging.dark.svg'].map((name) =>
	readFileSync(path.join(projectFolder, 'icons', name), 'utf8'),
);
const face = ['phones.cts', 'parts.cts', 'routes.cts', 'assets/face.css'].map((name) =>
	readFileSync(path.join(projectFolder, 'sandbox', 'face', name), 'utf8'),
);
const operation = (all: readonly Resource[], resource: string, value: string) =>
	all.find((one) => one.value === resource)?.operations.find((one) => one.value === value);

/** What can be seen in each. */
const shown = {
	'first-sample': [readSamples()[0]?.workflow, icons],
	'dispatch-send': operation(partnerResources, 'dispatch', 'send')?.params,
	'nodes-panel': nodes.map(({ displayName, description }) => [displayName, description, icons]),
	trigger: new BulkMessagingTrigger().description.properties,
	credential: new BulkMessagingPartnerApi().properties,
	phones: face,
};

/** What only the engine reads cannot be seen. */
const unseen = new Set(['whenEmpty', 'enforceRange', 'whenPast']);
const seen = (name: string, value: unknown) => (unseen.has(name) ? undefined : value);

export type Picture = keyof typeof shown;

/** What the register would hold if all pictures were taken now. */
export const current: Record<string, string> = Object.fromEntries(
	Object.entries(shown).map(([name, content]) => [
		name,
		fingerprint(JSON.stringify(content, seen)),
	]),
);

export const taken = (): Record<string, string> =>
	existsSync(register)
		? (JSON.parse(readFileSync(register, 'utf8')) as Record<string, string>)
		: {};

export function keepPicture(name: Picture, jpg: Buffer) {
	mkdirSync(folder, { recursive: true });
	writeFileSync(path.join(folder, `${name}.jpg`), jpg);
	// In the order of the list above, whichever was taken first.
	const known = { ...taken(), [name]: current[name] };
	const entries = Object.keys(shown).flatMap((one) => (known[one] ? [[one, known[one]]] : []));
	writeFileSync(register, `${JSON.stringify(Object.fromEntries(entries), null, '\t')}\n`);
}
