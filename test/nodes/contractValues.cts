import type { INodeParameters } from 'n8n-workflow';
import type { Endpoint } from '../../core/contract/endpoint';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { levelOf, sourceOf } from '../../core/contract/provenance';
import { CallbackUrl, ChannelType, Datetime, Destination } from '../../core/contract/values';
import { demo } from '../../sandbox/demo.cts';
import { z } from '../../vendor/zod';
import { bool, datetime, double, int, nameOf, string } from '../contract/support.cts';
import { callbackUrl, destination } from '../contract/vocabulary.cts';
import { uuids } from '../messaging/table/messages.cts';
import { firstNew } from '../partner/table/dispatches.cts';
import { jpg, pdf, png } from '../partner/table/files.cts';
import type { Row } from './row.cts';

/*
 * Every value that the service's interface specification states for a request, and every value that a public reference shows. The
 * fields and their sets of values come from core/contract, which the tests in test/contract compare with the specification. The
 * tables here add what a type does not say.
 */

const { flowers, bakery } = demo.companies;
const { senders, dispatches, numbers } = demo;

/** A value that is stated or published. `alongside` are the panel's other fields that the value needs, by their names. */
export interface Case {
	value: unknown;
	alongside?: INodeParameters;
	seed?: Row['seed'];
}
const each = (values: readonly unknown[], alongside?: INodeParameters): Case[] =>
	values.map((value) => ({ value, alongside }));

/** A request field, named by its call and its place there: `POST /senders body.senderName`. */
export interface StatedField {
	name: string;
	endpoint: Endpoint;
	part: 'path' | 'query' | 'body';
	path: string[];
	cases: Case[];
	/** Every value of the set that the contract has for it, where it has one. */
	members: readonly unknown[];
}

/** Named in the specification without their place in a body or query, or not shown as a field of this call. */
const alsoStated: ReadonlySet<string> = new Set([
	// The panel of a cascade has the custom ID of a single message.
	'POST /v1/message/cascade body.externalMessageId',
]);

/** "the upper bound depends on the value of the parameter `rateTerm`": nothing else is said about it. */
const withoutSchema: Array<Pick<StatedField, 'endpoint' | 'part' | 'path'>> = [
	{ endpoint: partner.dispatchCreate, part: 'body', path: ['rateTerm'] },
];

const longName = 'Northwind Traders and Friends';
/** "up to 11 characters for SMS"; the rule for MEGAFON is stated for the messaging API only. */
const senderNames: Case[] = [
	...each(['ACME', 'A'.repeat(11), 'Ромашка-№ 1'], { channelType: 'SMS' }),
	...['VIBER', 'WHATSAPP', 'VK', 'TELEGRAM'].flatMap((channelType) =>
		each([longName], { channelType }),
	),
	...each(['ACME!', 'ACME+', 'AC ME'], { channelType: 'SMS', brand: 'MEGAFON' }),
];

const documentIds = [uuids.slice(0, 1), uuids];
/** "map from placeholder name to value" */
const substitutions: Case[] = [{ name: 'Anna', code: '17' }, { name: 'Анна "А" & <Б>' }].map(
	(value) => ({
		value,
		alongside: {
			destination: numbers.mts,
			text: Object.keys(value)
				.map((name) => `{${name}}`)
				.join(', '),
		},
	}),
);

/** Operations check that a sender name belongs to the channel, and the demo data have names for three channels only. */
const dispatchChannels: Case[] = ChannelType.known.map((channelType, index) => {
	const id = senders.general + 1 + index;
	return {
		value: channelType,
		alongside: { senderIds: [id] },
		seed: ({ world: { store } }) => {
			store.senders.set(id, { ...store.senders.get(senders.mts)!, id, channelType });
		},
	};
});

const reported = { callbackUrl: 'https://example.com/status', callbackAuthentication: 'none' };
/** "It may carry a login and password in the URL for Basic authorization, and may use an IP address and a port." */
const callbackUrls: Case[] = [
	...callbackUrl.good,
	'http://login:p%40ss@203.0.113.7:8080/status',
	'https://login:password@[2001:db8::1]:8443/status',
].map((value) => ({
	value,
	alongside: { callbackAuthentication: String(value).includes('@') ? 'url' : 'none' },
}));

/** "not delivered within the lifetime (default 25 hours)", and "`ttl` for FLASHCALL and VOICECODE" */
const ttls: Case[] = [
	...each([90_000, 86_400, 60]),
	...each([60, 90_000], { channelType: 'FLASHCALL', text: '4821' }),
	...each([60, 90_000], { channelType: 'VOICECODE', text: '4821' }),
];
/** "content" by channel, as a public reference has it. */
const objectContent = (text: string, more: object = {}) => ({ contentType: 'text', text, ...more });
const contents: Case[] = [
	...each(['text', 'Ваш заказ готов'], { channelType: 'SMS' }),
	...each(['a', 'я'.repeat(2_048)], { channelType: 'VK' }),
	...each(['4821'], { channelType: 'FLASHCALL' }),
	...each(
		['4821', '4 8 2 1', '4-8-2-1'].map((code) =>
			objectContent(`Код авторизации от Тюльпан: ${code}`),
		),
		{ channelType: 'VOICECODE', senderName: 'voicecode' },
	),
	...each(
		[
			objectContent('Order 17 is ready'),
			objectContent('Order 17 is ready', {
				header: { text: 'Tulips' },
				footer: { text: 'Open 9 to 18' },
			}),
		],
		{ channelType: 'WHATSAPP' },
	),
	...each([objectContent('Hello')], { channelType: 'TELEGRAM' }),
];
/** In a cascade, an object for SMS and VK too. */
const stepContents: Case[] = [
	...each([{ text: 'Hello' }], { channelType: 'SMS' }),
	...each([{ text: 'Hello' }], { channelType: 'VK' }),
	...each([objectContent('Hello')], { channelType: 'WHATSAPP' }),
];
/** "`YYYY-MM-DD hh:mm:ss`" */
const localTimes = each(['2026-03-03 20:00:00']);
/** "in UTC (form `2026-03-01T07:00:00Z`)" */
const utcTimes = each(['2026-03-01T07:00:00Z', '2026-12-31T23:59:59Z']);
const gatewayIds = each(['a1B2c3', '17']);
const ownIds = each(['order-17', 'заказ №17', '0b0e7a3e-0000-4000-8000-000000000001']);
/** A URL has room for shorter texts only. */
const inQuery = string.good.slice(0, 2);

const fileCase = (filename: string, type: string, bytes: Buffer): Case => ({
	value: { filename, type, bytes },
});
/** "PDF, JPG or PNG, at most 10 MB" */
const files = [
	fileCase('letter.pdf', 'application/pdf', pdf),
	fileCase('scan.jpg', 'image/jpeg', jpg),
	fileCase('scan.png', 'image/png', png),
	fileCase('large.pdf', 'application/pdf', Buffer.concat([pdf], 10_000_000)),
];

/** Where more is stated than the type tells, or where the value must be known to the sandbox. */
const givenCases: Readonly<Record<string, Case[]>> = {
	'POST /company/{id}/documents body.file': files,
	'POST /senders body.senderName': senderNames,
	'POST /senders body.documentIds': each(documentIds),
	'PUT /senders/{id} body.documentIds': each(documentIds),
	'PUT /senders/{id} body.senderName': each(['A'.repeat(11), longName, 'AC ME+']),
	'GET /senders query.countryCode': each([['RU'], ['RU', 'KZ']]),
	'POST /dispatches body.senderIds': each([
		[senders.mts],
		[senders.mts, senders.beeline, senders.megafon, senders.tele2],
	]),
	'POST /dispatches body.channelType': dispatchChannels,
	'POST /dispatches body.rateTerm': each([10]),
	'POST /dispatches body.callbackUrl': callbackUrls,
	'POST /dispatches body.messages.substitutions': substitutions,
	'POST /dispatches/{id}/messages body.messages.substitutions': substitutions,
	'PUT /recipients body.msisdn': each(destination.good),
	'GET /price/tariffs query.brand': each(['MTS', 'BEELINE', 'MEGAFON', 'TELE2', ...inQuery]),
	// Defaults of the lists: 10 for companies and dispatches, 100 for messages.
	'GET /company query.page': each([1, 2]),
	'GET /company query.per_page': each([1, 10, 100]),
	'GET /dispatches query.page': each([1, 2]),
	'GET /dispatches query.perPage': each([1, 10, 100]),
	'GET /messages query.page': each([1, 2]),
	'GET /messages query.perPage': each([1, 10, 100]),
	'POST /v1/message body.callbackUrl': callbackUrls,
	'POST /v1/message/cascade body.callbackUrl': callbackUrls,
	'POST /v1/message body.ttl': ttls,
	'POST /v1/message/cascade body.cascade.ttl': ttls,
	'POST /v1/message body.tags': each([['spring'], ['spring-sale', 'весна', 'A_1', 'two words']]),
	'POST /v1/message body.destination': each(destination.good),
	'POST /v1/message/cascade body.destination': each(destination.good),
	'POST /verifier/send body.destination': each(destination.good),
	'POST /verifier/send body.gatewayId': gatewayIds,
	'POST /v1/message body.content': contents,
	'POST /v1/message/cascade body.cascade.content': stepContents,
	'POST /v1/message body.localSendTime': localTimes,
	'POST /v1/message/cascade body.localSendTime': localTimes,
	'POST /v1/message body.localCompletionTime': localTimes,
	'POST /v1/message/cascade body.localCompletionTime': localTimes,
	'POST /v1/message/stop body.uuids': each([uuids.slice(0, 1)]),
	'POST /v1/message body.externalMessageId': ownIds,
	'POST /v1/message/cascade body.externalMessageId': ownIds,
	'GET /v1/message query.message_uuid': each([uuids.slice(0, 1), [...uuids, 'order-1']]),
	'GET /v1/message query.external_message_id': each(['order-1']),
	'GET /v1/message query.cascade_message_uuid': each(uuids.slice(0, 1)),
	'GET /v1/message query.country_code': each(['RU', 'KZ']),
	'GET /v1/message query.content': each(['Goodbye, Anna', 'весна-2026 "<&>"']),
	'GET /v1/message query.content_nor': each(['Goodbye, Anna', 'весна-2026 "<&>"']),
	'GET /v1/message query.template_id': each([['512'], ['512', 'T-1']]),
	'GET /v1/message query.dispatch_id': each([['3001'], ['3001', '3002']]),
	'GET /v1/message query.traffic_center_id': each([['1'], ['1', '2']]),
	'GET /v1/message query.destination': each([[numbers.mts], [numbers.mts, numbers.tele2]]),
	'GET /v1/message query.sender_name': each([inQuery]),
	'GET /v1/message query.tags': each([['spring'], ['spring', 'vip_1']]),
	'GET /v1/message query.time_from': utcTimes,
	'GET /v1/message query.time_to': utcTimes,
	'GET /v1/message query.sort': each(inQuery),
	'GET /dispatch query.created_from': utcTimes,
	'GET /dispatch query.created_to': utcTimes,
	'GET /dispatch query.dispatch_name': each(inQuery),
	'GET /dispatch query.status': each(['sending']),
	'GET /v1/message query.page': each([1, 2]),
	'GET /v1/message query.per_page': each([1, 10, 100]),
};

/** What a field needs beside it, whatever its value is. */
const givenAlongside: Readonly<Record<string, INodeParameters>> = {
	'POST /dispatches body.callbackEvents': reported,
	'POST /v1/message body.callbackEvents': reported,
	'POST /v1/message/cascade body.callbackEvents': reported,
	'PUT /company/{id} path.id': { name: 'Camomile' },
	'PUT /senders/{id} path.id': { commonType: 'COMMON' },
	'POST /dispatches body.messages.destination': { text: 'Hello' },
	'POST /dispatches body.schedule.hours': { startAt: '2026-03-03T10:00:00+03:00' },
	'POST /dispatches body.schedule.days': { startAt: '2026-03-03T10:00:00+03:00' },
	'POST /dispatches body.messages.customText': { destination: numbers.mts },
	'POST /dispatches/{id}/messages body.messages.customText': { destination: numbers.mts },
};

/** IDs that the sandbox knows: operations that read before they send would stop at an unknown one. */
const knownIds: Array<[RegExp, Case[]]> = [
	[
		/ (?:body|query)\.companyId$/,
		[{ value: flowers }, { value: bakery, alongside: { senderIds: [senders.bakeryMts] } }],
	],
	[/ \/company\/.* path\.id$/, each([flowers, bakery])],
	[/ \/senders\/.* path\.id$/, each([senders.mts, senders.draft])],
	[/ \/dispatches\/.* path\.id$/, each([firstNew])],
	[/ query\.dispatchId$/, each([dispatches.spring, dispatches.reminder])],
];

/** The values of a type, as the transcript of the specification has them. */
const transcribed = new Map<z.ZodTypeAny, readonly unknown[]>([
	// "UTC `Z` form or with an offset": a fraction of a second that is zero is left out.
	[Datetime, datetime.good.filter((value) => !String(value).includes('.'))],
	[Destination, destination.good],
	[CallbackUrl, callbackUrl.good],
]);

const numbersOf = (schema: z.ZodNumber): readonly unknown[] => {
	const { isInt, minValue, maxValue } = schema;
	if (isInt && minValue !== null && maxValue !== null) {
		return Array.from({ length: maxValue - minValue + 1 }, (_, index) => minValue + index);
	}
	return isInt ? int.good : double.good;
};

/** All of them at once, and the first and the last alone. */
const listsOf = (values: readonly unknown[]): unknown[] =>
	values.length === 0 ? [] : [[...values], values.slice(0, 1), values.slice(-1)];

const valuesOf = (schema: z.ZodTypeAny): readonly unknown[] => {
	const known = transcribed.get(schema);
	if (known !== undefined) return known;
	if (schema instanceof z.ZodOptional) return valuesOf(schema.unwrap() as z.ZodTypeAny);
	if (schema instanceof z.ZodEffects) return valuesOf(schema.innerType() as z.ZodTypeAny);
	if (schema instanceof z.ZodArray) return listsOf(valuesOf(schema.element as z.ZodTypeAny));
	if (schema instanceof z.ZodEnum) return schema.options as string[];
	if (schema instanceof z.ZodNumber) return numbersOf(schema);
	if (schema instanceof z.ZodBoolean) return bool.good;
	if (schema instanceof z.ZodUnion) return valuesOf((schema.options as z.ZodTypeAny[])[0]!);
	if (!(schema instanceof z.ZodString)) return [];
	return (schema as { known?: readonly string[] }).known ?? string.good;
};

const bareOf = (schema: z.ZodTypeAny | undefined): z.ZodTypeAny | undefined => {
	if (schema instanceof z.ZodOptional) return bareOf(schema.unwrap() as z.ZodTypeAny);
	if (schema instanceof z.ZodEffects) return bareOf(schema.innerType() as z.ZodTypeAny);
	return schema;
};

/** The set of values that a type has. A list counts with its entries. */
const membersOf = (schema: z.ZodTypeAny): readonly unknown[] => {
	const bare = bareOf(schema);
	if (bare instanceof z.ZodArray) return membersOf(bare.element as z.ZodTypeAny);
	if (bare instanceof z.ZodEnum || bare instanceof z.ZodBoolean) return valuesOf(bare);
	if (bare instanceof z.ZodNumber) {
		return bare.minValue !== null && bare.maxValue !== null ? valuesOf(bare) : [];
	}
	return (bare as { known?: readonly string[] }).known ?? [];
};

const shapeOf = (schema: z.ZodTypeAny | undefined): z.ZodRawShape | undefined => {
	const bare = bareOf(schema);
	if (bare instanceof z.ZodArray) return shapeOf(bare.element as z.ZodTypeAny);
	return bare instanceof z.ZodObject ? (bare.shape as z.ZodRawShape) : undefined;
};

interface Leaf {
	path: string[];
	schema: z.ZodTypeAny;
	isAssumed: boolean;
}
const leavesOf = (
	schema: z.ZodTypeAny | undefined,
	isAssumed: boolean,
	path: string[] = [],
): Leaf[] =>
	Object.entries(shapeOf(schema) ?? {}).flatMap(([name, inner]) => {
		const leaf = {
			path: [...path, name],
			schema: inner,
			isAssumed: isAssumed || levelOf(sourceOf(inner)) === 'assumed',
		};
		return shapeOf(inner) === undefined ? [leaf] : leavesOf(inner, leaf.isAssumed, leaf.path);
	});

const casesOf = (name: string, schema: z.ZodTypeAny | undefined): Case[] => {
	const known = knownIds.find(([pattern]) => pattern.test(name))?.[1];
	const typed = () => (schema === undefined ? [] : each(valuesOf(schema)));
	return (givenCases[name] ?? known ?? typed()).map(({ alongside, ...one }) => ({
		...one,
		alongside: { ...givenAlongside[name], ...alongside },
	}));
};

const nameField = (endpoint: Endpoint, part: string, path: readonly string[]) =>
	`${nameOf(endpoint)} ${part}.${path.join('.')}`;

const fieldsOf = (endpoint: Endpoint): StatedField[] => {
	const { pathParams, query, body, source } = endpoint;
	const inParts = Object.entries({ path: pathParams, query, body }).flatMap(([part, schema]) =>
		leavesOf(schema, levelOf(source) === 'assumed').map((leaf) => ({
			...leaf,
			part: part as 'body',
		})),
	);
	return inParts.flatMap(({ part, path, schema, isAssumed }) => {
		const name = nameField(endpoint, part, path);
		if (isAssumed && !alsoStated.has(name)) return [];
		const cases = casesOf(name, schema);
		return [{ name, endpoint, part, path, cases, members: membersOf(schema) }];
	});
};

/**
 * Not walked here: their operations read a dispatch, a template or a message first, or send a form, and each has tests of its own
 * in test/messaging (dispatches.test, entities.test).
 */
const walkedElsewhere: ReadonlySet<Endpoint> = new Set<Endpoint>([
	messaging.messageGet,
	messaging.dispatchAppend,
	messaging.dispatchStart,
	messaging.dispatchStop,
	messaging.templateGet,
	messaging.templateUpdate,
	messaging.senderNameCreate,
]);
/** The same: only 'Get' sends it. */
const sentByGet = 'GET /dispatch query.dispatch_id';

/** Every request field of every call of both interfaces that is stated or published. */
export const statedFields: StatedField[] = [
	...[...Object.values<Endpoint>(partner), ...Object.values<Endpoint>(messaging)]
		.filter((endpoint) => !walkedElsewhere.has(endpoint))
		.flatMap(fieldsOf)
		.filter(({ name }) => name !== sentByGet),
	...withoutSchema.map(({ endpoint, part, path }) => {
		const name = nameField(endpoint, part, path);
		return { name, endpoint, part, path, cases: casesOf(name, undefined), members: [] };
	}),
];

/** Every name in the tables above. */
export const tabledFields = [
	...alsoStated,
	...Object.keys(givenCases),
	...Object.keys(givenAlongside),
];

/** The schema of a field of a body, or of an entry of it. */
export const schemaIn = ({ body }: Endpoint, name: string): z.ZodTypeAny | undefined =>
	shapeOf(body)?.[name];

/** A body or a part of it with whatever the contract requires, each with its first value. */
export const exampleOf = (schema: z.ZodTypeAny): unknown => {
	const bare = bareOf(schema);
	if (bare instanceof z.ZodArray && shapeOf(bare) !== undefined) {
		return [exampleOf(bare.element as z.ZodTypeAny)];
	}
	if (!(bare instanceof z.ZodObject)) return valuesOf(schema)[0];
	return Object.fromEntries(
		Object.entries(bare.shape as z.ZodRawShape)
			.filter(([, inner]) => !inner.isOptional())
			.map(([name, inner]) => [name, exampleOf(inner)]),
	);
};
