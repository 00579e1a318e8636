// The output fields the editor shows before the first run (`__schema__`), generated from the contract.
// `npm run schemas` writes them. A test compares them with the files in the repository.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zodToJsonSchema } from 'zod-to-json-schema';
import { SimplifiedEvent } from '../nodes/BulkMessagingTrigger/callbacks/simplify';
import type { Operation, Resource } from '../core/engine/operation';
import { messagingResources as messaging } from '../nodes/BulkMessaging/resources';
import { partnerResources as partner } from '../nodes/BulkMessagingPartner/resources';
import { z } from '../vendor/zod';

const root = join(__dirname, '..');
const nodes: Array<{ folder: string; resources: readonly Resource[] }> = [
	{ folder: 'BulkMessaging', resources: messaging },
	{ folder: 'BulkMessagingPartner', resources: partner },
];
/** Nodes without resources: the editor looks up their schema by version only. */
const triggers = [{ folder: 'BulkMessagingTrigger', version: '2.0.0', output: SimplifiedEvent }];

interface Schema {
	type?: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	anyOf?: Schema[];
	additionalProperties?: Schema | boolean;
}

/** The editor supports only one type per field and no constraints. */
const simplify = (schema: Schema): Schema => {
	const [firstReal] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
	if (firstReal !== undefined) return simplify(firstReal);
	const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
	return {
		type: type === 'integer' ? 'number' : (type ?? 'string'),
		...(schema.properties && {
			properties: Object.fromEntries(
				Object.entries(schema.properties).map(([name, inner]) => [name, simplify(inner)]),
			),
		}),
		...(schema.items && { items: simplify(schema.items) }),
	};
};

/** The schema of one output item: an entry of a list, or the reply itself. */
const itemOf = (schema: z.ZodTypeAny): z.ZodTypeAny => {
	if (schema instanceof z.ZodArray) return schema.element as z.ZodTypeAny;
	if (schema instanceof z.ZodUnion)
		return itemOf((schema.options as z.ZodTypeAny[])[0] as z.ZodTypeAny);
	if (schema instanceof z.ZodObject && schema.shape.items instanceof z.ZodArray) {
		return itemOf(schema.shape.items);
	}
	return schema;
};

const outputOf = ({ output, endpoint }: Operation) =>
	output ?? (endpoint && itemOf(endpoint.reply));

export const contentOf = (output: z.ZodTypeAny): string => {
	const schema = simplify(zodToJsonSchema(output, { $refStrategy: 'none' }) as Schema);
	return `${JSON.stringify({ ...schema, version: 1 }, null, '\t')}\n`;
};

/** The content of each file, by its path in the repository. */
export const schemaFiles = (): Map<string, string> => {
	const files = new Map<string, string>();
	for (const { folder, resources } of nodes) {
		for (const { value, operations } of resources) {
			for (const operation of operations) {
				const output = outputOf(operation);
				if (output === undefined) continue;
				const path = `nodes/${folder}/__schema__/v1.0.0/${value}/${operation.value}.json`;
				files.set(path, contentOf(output));
			}
		}
	}
	for (const { folder, version, output } of triggers) {
		files.set(`nodes/${folder}/__schema__/v${version}.json`, contentOf(output));
	}
	return files;
};

if (require.main === module) {
	for (const { folder } of [...nodes, ...triggers]) {
		rmSync(join(root, 'nodes', folder, '__schema__'), { recursive: true, force: true });
	}
	const files = schemaFiles();
	for (const [path, content] of files) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), content);
	}
	console.log(`${files.size} schemas written`);
}
