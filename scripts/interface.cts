// Writes docs/interface.md: which calls and fields the provider publishes, and which we assume. A test fails if the file differs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../core/contract/endpoint';
import { documentLimits } from '../core/contract/company';
import { messageLimits, messaging } from '../core/contract/messaging';
import { partner } from '../core/contract/partner';
import { smsSenderNameLength } from '../core/contract/sender';
import { assumptionOf, whyAssumed } from '../core/contract/provenance';
import { z } from '../vendor/zod';

export const interfacePath = join(__dirname, '..', 'docs', 'interface.md');

export interface Field {
	name: string;
	/** Why it is assumed; `undefined` where the provider's interface states it. */
	assumed: string | undefined;
}

/** The fields of an object. For a list or a wrapped schema, those of the object inside. */
const shapeOf = (schema: z.ZodTypeAny | undefined): z.ZodRawShape => {
	if (schema instanceof z.ZodObject) return schema.shape as z.ZodRawShape;
	if (schema instanceof z.ZodArray) return shapeOf(schema.element as z.ZodTypeAny);
	if (schema instanceof z.ZodEffects) return shapeOf(schema.innerType() as z.ZodTypeAny);
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
		return shapeOf(schema.unwrap() as z.ZodTypeAny);
	}
	if (schema instanceof z.ZodUnion) return shapeOf((schema.options as z.ZodTypeAny[])[0]);
	return {};
};

/** Every field of a part of a call. Fields of inner objects are named `outer.inner`. */
export const fieldsOf = (schema: z.ZodTypeAny | undefined, above?: string): Field[] =>
	Object.entries(shapeOf(schema)).flatMap(([name, field]) => {
		const assumed = assumptionOf(field) ?? above;
		const inner = fieldsOf(field, assumed).map((one) => ({ ...one, name: `${name}.${one.name}` }));
		return [{ name, assumed }, ...inner];
	});

export const partsOf = ({ pathParams, query, body, reply }: Endpoint): Record<string, Field[]> => ({
	path: fieldsOf(pathParams),
	query: fieldsOf(query),
	body: fieldsOf(body),
	reply: fieldsOf(reply),
});

const namesOf = (fields: readonly Field[]) => fields.map(({ name }) => `\`${name}\``).join(', ');

const reasons = Object.values<string>(whyAssumed);

/** A number instead of the whole reason, because the reasons are long and repeat. */
const sourceOf = (assumed: string | undefined) =>
	assumed === undefined ? 'published' : `assumed (${reasons.indexOf(assumed) + 1})`;

const labels: Readonly<Record<string, string>> = { reply: 'response' };

const rowsOf = (endpoint: Endpoint) => {
	const call = `\`${endpoint.method} ${endpoint.path}\``;
	const rows = Object.entries(partsOf(endpoint)).flatMap(([name, fields]) => {
		const part = labels[name] ?? name;
		const stated = fields.filter(({ assumed }) => assumed === undefined);
		const guesses = new Map<string, Field[]>();
		for (const field of fields) {
			const { assumed } = field;
			if (assumed !== undefined) guesses.set(assumed, [...(guesses.get(assumed) ?? []), field]);
		}
		return [
			...(stated.length === 0 ? [] : [`| | ${part} | published | ${namesOf(stated)} |`]),
			...[...guesses].map(([why, some]) => `| | ${part} | ${sourceOf(why)} | ${namesOf(some)} |`),
		];
	});
	return [`| ${call} | | ${sourceOf(endpoint.assumed)} | |`, ...rows];
};

const tableOf = (endpoints: Readonly<Record<string, Endpoint>>) =>
	[
		'| Call | Part | Source | Fields |',
		'| --- | --- | --- | --- |',
		...Object.values(endpoints).flatMap(rowsOf),
	].join('\n');

const inEnglish = (count: number) => count.toLocaleString('en');

/** The columns of the last table. */
const limits: ReadonlyArray<readonly [string, string, string, string]> = [
	[
		'Company document',
		`PDF, JPG or PNG, ${documentLimits.maxBytes / 1024 ** 2} MB`,
		'published',
		'rejected before anything is sent',
	],
	[
		'Sender name for SMS',
		`${smsSenderNameLength} characters`,
		'published',
		'rejected before anything is sent',
	],
	['Hours and weekdays', '0 to 23, 1 to 7', 'published', 'rejected before anything is sent'],
	[
		'Messages in one request',
		inEnglish(messageLimits.perRequest),
		'assumed',
		'sent in several requests',
	],
	["IDs in one 'Stop'", inEnglish(messageLimits.perStop), 'assumed', 'sent in several requests'],
	[
		'Messages in one list',
		inEnglish(messageLimits.lookUpWindow),
		'assumed',
		'a hint, or an error if you choose it',
	],
	['Time to live', '60 to 90,000 seconds; for Voice Code from 30', 'assumed', 'sent, with a hint'],
	['Tags', 'Latin letters, digits and _', 'assumed', 'sent, with a hint'],
	[
		'Custom message ID',
		`${messageLimits.externalIdLength} characters`,
		'assumed',
		'sent, with a hint',
	],
	[
		'Content',
		'Text for SMS, four digits for Flash Call, an object for other channels',
		'assumed',
		'sent, with a hint',
	],
	[
		'Sender name for MegaFon',
		'No + and no space',
		'published for the messaging API only',
		'sent, with a hint',
	],
];

export const interfaceDocument = (): string => `# What is published and what is assumed

The provider publishes a description of its API. It mentions some calls and fields without describing them. In these places, this package
sends what public clients of similar services send. If your account behaves differently, please open an issue.

- Operations that rest on an assumption say so in their panel. You can change their paths in the Bulk Messaging API credential, under
  'Change Paths'.
- If a value only exceeds an assumed limit (size, length or spelling), it isn't rejected. The message is sent, and you get a hint.

\`npm run interface\` writes this page from \`core/contract\`.

The numbers after "assumed" mean:

${reasons.map((why, index) => `${index + 1}. ${why}`).join('\n')}

## Partner API

<!-- prettier-ignore -->
${tableOf(partner)}

## Messaging API

<!-- prettier-ignore -->
${tableOf(messaging)}

## Limits

<!-- prettier-ignore -->
| What | Limit | Source | Values beyond the limit |
| --- | --- | --- | --- |
${limits.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;

if (require.main === module) {
	writeFileSync(interfacePath, interfaceDocument());
	console.log('docs/interface.md written');
}
