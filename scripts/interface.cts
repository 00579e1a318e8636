// Writes docs/interface.md: which calls, fields, values and limits are stated, published elsewhere, or assumed. A test fails if the
// file differs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../core/contract/endpoint';
import { documentLimits } from '../core/contract/company';
import { apiErrors, messageErrors } from '../core/contract/errors';
import { keyTypes } from '../core/contract/keys';
import { messageLimits, messaging } from '../core/contract/messaging';
import { partner } from '../core/contract/partner';
import {
	levelOf,
	levels,
	shapeOf,
	sourceOf,
	sources,
	type Level,
	type SourceName,
} from '../core/contract/provenance';
import { smsSenderNameLength } from '../core/contract/sender';
import * as values from '../core/contract/values';
import { z } from '../vendor/zod';

export const interfacePath = join(__dirname, '..', 'docs', 'interface.md');

export interface Field {
	name: string;
	/** `undefined` where the provider's interface states it. */
	source: SourceName | undefined;
}

/** Every field of a part of a call. Fields of inner objects are named `outer.inner`. */
export const fieldsOf = (schema: z.ZodTypeAny | undefined): Field[] =>
	Object.entries(shapeOf(schema)).flatMap(([name, field]) => [
		{ name, source: sourceOf(field) },
		...fieldsOf(field).map((one) => ({ ...one, name: `${name}.${one.name}` })),
	]);

export const partsOf = ({ pathParams, query, body, reply }: Endpoint): Record<string, Field[]> => ({
	path: fieldsOf(pathParams),
	query: fieldsOf(query),
	body: [
		...(body && sourceOf(body)
			? [{ name: body instanceof z.ZodArray ? '[]' : '{}', source: sourceOf(body) }]
			: []),
		...fieldsOf(body),
	],
	reply: fieldsOf(reply),
});

const namesOf = (fields: readonly Field[]) => fields.map(({ name }) => `\`${name}\``).join(', ');

const sourceNames = Object.keys(sources) as SourceName[];

/** The level, and a number instead of the whole reason. */
const labelOf = (source: SourceName | undefined) =>
	source === undefined ? 'stated' : `${levelOf(source)} (${sourceNames.indexOf(source) + 1})`;

const labels: Readonly<Record<string, string>> = { reply: 'response' };

const rowsOf = (endpoint: Endpoint) => {
	const call = `\`${endpoint.method} ${endpoint.path}\``;
	const rows = Object.entries(partsOf(endpoint)).flatMap(([name, fields]) =>
		[undefined, ...sourceNames].flatMap((source) => {
			const some = fields.filter((field) => field.source === source);
			const part = labels[name] ?? name;
			return some.length === 0 ? [] : [`| | ${part} | ${labelOf(source)} | ${namesOf(some)} |`];
		}),
	);
	return [`| ${call} | | ${labelOf(endpoint.source)} | |`, ...rows];
};

const tableOf = (endpoints: Readonly<Record<string, Endpoint>>) =>
	[
		'| Call | Part | Source | Fields |',
		'| --- | --- | --- | --- |',
		...Object.values(endpoints).flatMap(rowsOf),
	].join('\n');

const inEnglish = (count: number) => count.toLocaleString('en');

/** A set of values, each with its source. */
type ValueSet = readonly [name: string, members: ReadonlyArray<readonly [string, SourceName?]>];

const openSet = (
	name: string,
	{
		known,
		sources: of,
	}: { known: readonly string[]; sources: Partial<Record<string, SourceName>> },
): ValueSet => [name, known.map((value) => [value, of[value]])];

const coded = (
	name: string,
	rows: Readonly<Record<number, { source?: SourceName; msg?: string; text?: string }>>,
): ValueSet => [name, Object.entries(rows).map(([code, { source }]) => [code, source])];

/** The values that a public reference shows. There may be others. */
const published = (name: string, ...members: string[]): ValueSet => [
	name,
	members.map((value) => [value, 'page']),
];

const valueSets: readonly ValueSet[] = [
	openSet('Channels', values.ChannelType),
	openSet('Traffic types', values.TrafficTypeOpen),
	openSet('Statuses in callbacks', values.CallbackStatus),
	openSet('Statuses of listed messages', values.ListedStatus),
	openSet('Sending methods', values.SendingMethod),
	openSet('Conditions of cascade steps', values.CascadeCondition),
	openSet('Channels of verification codes', values.VerificationChannel),
	openSet('Results of a code check', values.CodeStatus),
	openSet('Results of a flash call', values.FlashCallResult),
	['Types of API keys', Object.values(keyTypes).map((name) => [name, 'page'])],
	coded('API error codes', apiErrors),
	['API error codes, on the messaging API too', [['4040', 'page']]],
	published('Codes of the messages in a send', '201'),
	['Codes for too little money', [['402', 'client']]],
	published('Codes of the messages in a stop', '200', '201', '202', '403', '404'),
	['Directions', values.Direction.options.map((name) => [name])],
	published('`readStatus`', 'read', 'unread'),
	published('Statuses of dispatches, messaging API', 'sending'),
	published('Types of the recipients of a dispatch, messaging API', 'FILE'),
	published('Types of templates', 'SERVICE'),
	published('Statuses of templates', 'INTERNAL_REVIEW', 'EXTERNAL_REVIEW', 'REJECTED', 'CLOSED'),
	[
		'Reserved sender names',
		[
			['voicecode', 'page'],
			['sms_promo', 'client'],
		],
	],
	coded('Meanings of message error codes', messageErrors),
];

const membersAt = (members: ValueSet[1], level: Level) =>
	members
		.flatMap(([value, source]) => (levelOf(source) === level ? [`\`${value}\``] : []))
		.join(', ');

/** The columns of the last table: what, its limit, its source, and what happens to values beyond it. */
type LimitRow = readonly [string, string, SourceName | undefined, string];

const isRejected = 'rejected before anything is sent';
const isSplit = 'sent in several requests';
const isHinted = 'sent, with a hint';

const limits: readonly LimitRow[] = [
	[
		'Company document',
		`PDF, JPG or PNG, ${documentLimits.maxBytes / 1024 ** 2} MB`,
		undefined,
		isRejected,
	],
	[
		'Sender name for SMS, when you register it',
		`${smsSenderNameLength} characters`,
		undefined,
		isRejected,
	],
	['Hours and weekdays', '0 to 23, 1 to 7', undefined, isRejected],
	[
		'Sender name for MegaFon, when you register it, messaging API',
		'no + and no space',
		undefined,
		isRejected,
	],
	[
		'Sender name for MegaFon, when you register it, partner API',
		'no + and no space',
		'guess',
		isHinted,
	],
	[
		"A message's `externalMessageId`",
		`${messageLimits.idLength} characters`,
		'page',
		`${isRejected}, because a message whose ID was cut off can't be found again`,
	],
	['Messages in one request', inEnglish(messageLimits.perRequest), 'page', isSplit],
	["IDs in one 'Stop'", inEnglish(messageLimits.perStop), 'page', isSplit],
	[
		'Messages in one list',
		inEnglish(messageLimits.lookUpWindow),
		'page',
		'a hint, or an error if you choose it',
	],
];

const endpoints = [...Object.values<Endpoint>(partner), ...Object.values<Endpoint>(messaging)];
const counted: ReadonlyArray<readonly [string, ReadonlyArray<SourceName | undefined>]> = [
	['Calls', endpoints.map(({ source }) => source)],
	[
		'Fields of requests and responses',
		endpoints.flatMap((one) =>
			Object.values(partsOf(one)).flatMap((fields) => fields.map(({ source }) => source)),
		),
	],
	['Values', valueSets.flatMap(([, members]) => members.map(([, source]) => source))],
	['Limits', limits.map(([, , source]) => source)],
];
const countAt = (some: ReadonlyArray<SourceName | undefined>, level: Level) =>
	inEnglish(some.filter((source) => levelOf(source) === level).length);

export const interfaceDocument = (): string => `# What is stated, published and assumed

The provider's description of its API states most of it, and mentions some calls and fields without describing them. There, this package
follows a public reference of a very similar API. Where that is silent too, it assumes. If your account behaves differently, please open
an issue.

- **Stated:** the provider's own description says it.
- **Published:** a public reference, or public programs, of a very similar API show it.
- **Assumed:** our best guess.

An operation whose request isn't completely stated says so in its panel. If the panel says that its path can be changed, do so in the
Bulk Messaging API credential, under 'Change Paths'. With one exception, only a stated limit rejects a value. Values beyond the limits that
others publish are sent, and the service decides.

\`npm run interface\` writes this page from \`core/contract\`.

<!-- prettier-ignore -->
| | Stated | Published | Assumed |
| --- | --- | --- | --- |
${counted.map(([name, some]) => `| ${name} | ${levels.map((level) => countAt(some, level)).join(' | ')} |`).join('\n')}

The numbers after "published" and "assumed" mean:

${sourceNames.map((name, index) => `${index + 1}. ${sources[name].why}`).join('\n')}

\`[]\` means that the body is a list, and \`{}\` that it needs no other field.

## Partner API

<!-- prettier-ignore -->
${tableOf(partner)}

## Messaging API

<!-- prettier-ignore -->
${tableOf(messaging)}

## Values

<!-- prettier-ignore -->
| Set | Stated | Published | Assumed |
| --- | --- | --- | --- |
${valueSets.map(([name, members]) => `| ${name} | ${levels.map((level) => membersAt(members, level)).join(' | ')} |`).join('\n')}

## Limits

<!-- prettier-ignore -->
| What | Limit | Source | Values beyond the limit |
| --- | --- | --- | --- |
${limits.map(([what, limit, source, beyond]) => `| ${what} | ${limit} | ${labelOf(source)} | ${beyond} |`).join('\n')}
`;

if (require.main === module) {
	writeFileSync(interfacePath, interfaceDocument());
	console.log('docs/interface.md written');
}
