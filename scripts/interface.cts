// `npm run interface` writes docs/interface.md: which calls and fields are published, and which are assumed. A test compares it.
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
	/** Why it is assumed, or `undefined` if the provider's interface states it. */
	assumed: string | undefined;
}

/** The fields of an object. For a list, those of its entries; for a wrapped schema, those of the inner one. */
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

/** Every field of one part of a call. Fields of nested objects are named `outer.inner`. */
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

/** There are few reasons, and they are long, so the table shows their numbers. */
const sourceOf = (assumed: string | undefined) =>
	assumed === undefined ? 'published' : `assumed (${reasons.indexOf(assumed) + 1})`;

const rowsOf = (endpoint: Endpoint) => {
	const call = `\`${endpoint.method} ${endpoint.path}\``;
	const rows = Object.entries(partsOf(endpoint)).flatMap(([part, fields]) => {
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
		'| Call | Part | Where it comes from | Fields |',
		'| --- | --- | --- | --- |',
		...Object.values(endpoints).flatMap(rowsOf),
	].join('\n');

const inEnglish = (count: number) => count.toLocaleString('en');

/** What is limited, the limit, where it comes from, and what happens beyond it. */
const limits: ReadonlyArray<readonly [string, string, string, string]> = [
	[
		'Document of a company',
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
	['IDs in one Stop', inEnglish(messageLimits.perStop), 'assumed', 'sent in several requests'],
	[
		'Messages in one list',
		inEnglish(messageLimits.lookUpWindow),
		'assumed',
		'a hint, or an error if you choose it',
	],
	['Time to Live', '60 to 90,000 seconds, Voice Code from 30', 'assumed', 'sent, with a hint'],
	['Tags', 'Latin letters, digits and _', 'assumed', 'sent, with a hint'],
	[
		'Custom Message ID',
		`${messageLimits.externalIdLength} characters`,
		'assumed',
		'sent, with a hint',
	],
	[
		'Content',
		'a text for SMS, four digits for Flash Call, an object for the others',
		'assumed',
		'sent, with a hint',
	],
	[
		'Sender name with MEGAFON',
		'no + and no space',
		'published for the messaging API only',
		'sent, with a hint',
	],
];

export const interfaceDocument = (): string => `# What is published, and what we assume

The provider publishes an interface. Where it names something without showing it, this package follows what public clients of
similar services send. What is assumed about the size, length or spelling of a value never rejects it: you get a hint, and the message
goes out. An operation that rests on an assumption says so in its panel, and its path can be changed in the credential. If your
account behaves differently, please tell us.

\`npm run interface\` writes this file from the contract in \`core/contract\`.

Why something is assumed:

${reasons.map((why, index) => `${index + 1}. ${why}`).join('\n')}

## Partner API

<!-- prettier-ignore -->
${tableOf(partner)}

## Messaging API

<!-- prettier-ignore -->
${tableOf(messaging)}

## Limits

<!-- prettier-ignore -->
| What | Limit | Where it comes from | Beyond it |
| --- | --- | --- | --- |
${limits.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;

if (require.main === module) {
	writeFileSync(interfacePath, interfaceDocument());
	console.log('docs/interface.md written');
}
