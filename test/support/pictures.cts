import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Resource } from '../../core/engine/operation';
import { BulkMessagingPartnerApi } from '../../credentials/BulkMessagingPartnerApi.credentials';
import { readSamples } from '../../host/demo/samples.cts';
import { fingerprint } from '../../host/process/fingerprint.cts';
import { projectFolder } from '../../host/process/folders.cts';
// With .ts: without it, tsx would load the .node.json file next to each.
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node.ts';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node.ts';
import { partnerResources } from '../../nodes/BulkMessagingPartner/resources';
import { BulkMessagingTrigger } from '../../nodes/BulkMessagingTrigger/BulkMessagingTrigger.node.ts';

/** The README's pictures. An end-to-end test takes each of them. They must be taken again when what they show has changed. */

const folder = path.join(projectFolder, 'docs', 'screenshots');
/** Next to the pictures: a fingerprint of what each picture showed when it was taken. */
const register = path.join(folder, 'taken.json');

const nodes = [BulkMessaging, BulkMessagingPartner, BulkMessagingTrigger].map(
	(Type) => new Type().description,
);
const icons = ['bulkMessaging.svg', 'bulkMessaging.dark.svg'].map((name) =>
	readFileSync(path.join(projectFolder, 'icons', name), 'utf8'),
);
const face = [
	'phones.cts',
	'people.cts',
	'states.cts',
	'parts.cts',
	'routes.cts',
	'assets/face.css',
].map((name) => readFileSync(path.join(projectFolder, 'sandbox', 'face', name), 'utf8'));
const operation = (all: readonly Resource[], resource: string, value: string) =>
	all.find((one) => one.value === resource)?.operations.find((one) => one.value === value);

const sendParams = operation(partnerResources, 'dispatch', 'send')?.params;

/** What each picture shows. */
const shown = {
	'first-sample': [readSamples()[0]?.workflow, icons, sendParams, face],
	'dispatch-send': sendParams,
	'nodes-panel': nodes.map(({ displayName, description }) => [displayName, description, icons]),
	trigger: new BulkMessagingTrigger().description.properties,
	credential: new BulkMessagingPartnerApi().properties,
	phones: face,
};

/** Only the engine uses these properties, so pictures don't show them. */
const unseen = new Set(['whenEmpty', 'enforceRange']);
/** In the order of the names, because a picture doesn't show the order in which properties are declared. */
const seen = (name: string, value: unknown) => {
	if (unseen.has(name)) return undefined;
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
};

export type Picture = keyof typeof shown;

/** Only the first one moves. */
export const fileOf = (name: string) => `${name}.${name === 'first-sample' ? 'webp' : 'jpg'}`;

/** The register as it would be if all pictures were taken now. */
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

export function keepPicture(name: Picture, image: Buffer) {
	mkdirSync(folder, { recursive: true });
	writeFileSync(path.join(folder, fileOf(name)), image);
	// Always in the order of the list above.
	const known = { ...taken(), [name]: current[name] };
	const entries = Object.keys(shown).flatMap((one) => (known[one] ? [[one, known[one]]] : []));
	writeFileSync(register, `${JSON.stringify(Object.fromEntries(entries), null, '\t')}\n`);
}
