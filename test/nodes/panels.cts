import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	NodeParameterValueType,
} from 'n8n-workflow';
import type { Endpoint } from '../../core/contract/endpoint';
import { partner } from '../../core/contract/partner';
import type { Operation } from '../../core/engine/operation';
import type { Param } from '../../core/engine/params';
import { endpointUrl } from '../../core/transport/request';
import { demo } from '../../sandbox/demo.cts';
import type { Sandbox } from '../../sandbox/sandbox.cts';
import { addKnown } from '../messaging/table/messages.cts';
import { addMessage } from '../messaging/table/sending.cts';
import { addDispatches, firstNew } from '../partner/table/dispatches.cts';
import { inMemory, itemWith } from '../partner/table/files.cts';
import { byId, fileOnWire, type Wire } from '../support/sandbox.cts';
import type { TestedNode } from './all.cts';
import { exampleOf, schemaIn, type Case, type StatedField } from './contractValues.cts';
import type { Row } from './row.cts';

/* Where the panels of the action nodes have a field of the contract, and how a user enters a value there. */

/** What is entered in the panel, and whatever else the run needs. */
interface Entered {
	parameters: INodeParameters;
	input?: INodeExecutionData;
	credentials?: Record<string, string>;
	/** The value as it travels, where that differs from how the contract writes it. */
	onWire?: unknown;
}

/** One way to give a field a value. */
export interface Panel {
	operation: string;
	/** The field on the screen. */
	label: string;
	enter: (one: Case) => Entered;
	/** Which values it is for; all of them when left out. */
	takes?: (value: unknown) => boolean;
	seed?: Row['seed'];
	/** A dry run: it must not reject the value, and never sends it. */
	isDry?: boolean;
	/** Values that a list offers, where the field is one. */
	offered?: readonly unknown[];
}

/* Finding fields */

/** A parameter on the way to a field; `group` is the group of a fixed collection that contains the next one. */
interface Step {
	param: Param;
	group?: string;
}
type Place = readonly Step[];

const placesOf = (params: readonly Param[], name: string, above: Place = []): Place[] =>
	params.flatMap((param) => {
		const own = param.name === name ? [[...above, { param }]] : [];
		const { type, options = [] } = param;
		if (type === 'collection') {
			return [...own, ...placesOf(options as readonly Param[], name, [...above, { param }])];
		}
		if (type !== 'fixedCollection') return own;
		return [
			...own,
			...options.flatMap((group) =>
				'values' in group
					? placesOf(group.values, name, [...above, { param, group: group.name }])
					: [],
			),
		];
	});

/** How much of the way two places share. */
const sharedSteps = (one: Place, other: Place) =>
	one.filter(({ param }, index) => other[index]?.param === param).length;

/** The field of that name that is closest to `place`. */
const nearest = (params: readonly Param[], name: string, place: Place): Place | undefined =>
	placesOf(params, name).sort(
		(a, b) =>
			sharedSteps(b, place) - sharedSteps(a, place) ||
			Math.abs(a.length - place.length) - Math.abs(b.length - place.length),
	)[0];

/* Entering values */

/** The choices that make a field visible. */
const shownBy = ({ displayOptions }: Param, fields: INodeParameters): INodeParameters =>
	Object.fromEntries(
		Object.entries(displayOptions?.show ?? {}).flatMap(([name, allowed]) => {
			const values = allowed as unknown as NodeParameterValueType[];
			return values.includes(fields[name]!) ? [] : [[name, values[0]!]];
		}),
	);

const enterAt = (
	fields: INodeParameters,
	[step, ...rest]: Place,
	value: NodeParameterValueType,
): INodeParameters => {
	if (step === undefined) return fields;
	const { param, group } = step;
	const { name, typeOptions } = param;
	const shown = { ...fields, ...shownBy(param, fields) };
	if (rest.length === 0) return { ...shown, [name]: value };
	const inner = (fields[name] ?? {}) as INodeParameters;
	if (group === undefined) return { ...shown, [name]: enterAt(inner, rest, value) };
	const old = inner[group];
	const entry = enterAt(
		((Array.isArray(old) ? old[0] : old) ?? {}) as INodeParameters,
		rest,
		value,
	);
	// The others stay: a cascade's step says when to continue only if another one follows.
	const others = Array.isArray(old) ? old.slice(1) : [];
	return {
		...shown,
		[name]: { [group]: typeOptions?.multipleValues ? [entry, ...others] : entry },
	} as INodeParameters;
};

/** A brace that is no placeholder of this node. */
const withWrittenBraces = (text: string) => text.replaceAll('{', '\\{');

/** A value of the contract as it is entered in a field of the screen. */
const toEntry = ({ name, type }: Param, value: unknown): NodeParameterValueType => {
	if (name === 'documentIds') {
		return { document: (value as string[]).map((id) => ({ documentId: byId(id) })) };
	}
	if (name === 'customText') return withWrittenBraces(value as string);
	switch (type) {
		case 'resourceLocator':
			return byId(value as number);
		case 'resourceMapper':
			return { mappingMode: 'defineBelow', value: value as INodeParameters };
		case 'json':
			return JSON.stringify(value);
		case 'string':
			return Array.isArray(value)
				? value.map((entry) => String(entry).replaceAll(',', '\\,')).join(', ')
				: (value as string);
		default:
			return value as NodeParameterValueType;
	}
};

/** The plain use of an operation, with every optional field removed. */
const bareParameters = (params: readonly Param[], { parameters }: Row): INodeParameters =>
	Object.fromEntries(
		Object.entries(parameters).filter(
			([name]) => !params.some((param) => param.name === name && param.type === 'collection'),
		),
	);

const enterCase = (
	params: readonly Param[],
	row: Row,
	place: Place,
	one: Case,
): INodeParameters => {
	const { param } = place.at(-1)!;
	const others = Object.entries(one.alongside ?? {}).reduce(
		(fields, [name, value]) => {
			const beside = nearest(params, name, place);
			return beside === undefined ? fields : enterAt(fields, beside, value!);
		},
		bareParameters(params, row),
	);
	return enterAt(others, place, toEntry(param, one.value));
};

/* Panels by the name of the field */

const pathOf = ({ baseUrl }: Pick<TestedNode, 'baseUrl'>, endpoint: Endpoint, id: unknown) =>
	new URL(endpointUrl(baseUrl, endpoint, { id: String(id) })).pathname;

/** The requests among `wire` that are a call of the endpoint, each with the ID in its path. */
export const callsOf = (
	node: Pick<TestedNode, 'baseUrl'>,
	endpoint: Endpoint,
	wire: readonly Wire[],
): Array<Wire & { id?: string }> => {
	const pattern = new RegExp(`^${pathOf(node, endpoint, 'ID').replace('ID', '(\\d+)')}$`);
	return wire.flatMap((request) => {
		const match = request.method === endpoint.method ? pattern.exec(request.path) : null;
		return match === null ? [] : [{ ...request, id: match[1] }];
	});
};

/** Where the screen has another name for it than the contract. */
const screenNames: Readonly<Record<string, string>> = {
	'PUT /company/{id} path.id': 'companyId',
	'POST /company/{id}/documents path.id': 'companyId',
	'GET /company/{id}/documents path.id': 'companyId',
};

/** Where a field of that name means something else: here the dispatch whose sender names are read. */
const otherMeanings: Readonly<Record<string, string>> = {
	'dispatch.getReport': 'GET /senders/{id} path.id',
};

/** Operations that get one message. */
const takesOne: ReadonlySet<string> = new Set(['message.get']);
/** Operations that show what another one would send. */
const dryRuns: Readonly<Record<string, Endpoint>> = { 'dispatch.preview': partner.dispatchCreate };
/** What decides what a dispatch sends to whom never comes from Additional Fields, and Send and Wait sets its own callback. */
const ofDispatch = new Set(['companyId', 'name', 'channelType', 'senderIds', 'text', 'messages']);
const notAdditional = (operation: string, { path }: StatedField) =>
	(operation.startsWith('dispatch.') && ofDispatch.has(path[0]!)) ||
	(operation === 'message.sendAndWait' && path[0]!.startsWith('callback'));

interface Named {
	name: string;
	operation: Operation;
	row: Row;
	isDry: boolean;
}

/** The operations that send the call of a field, with the row of their plain use. */
const operationsFor = (node: TestedNode, field: StatedField): Named[] =>
	node.resources.flatMap((resource) =>
		resource.operations.flatMap((operation) => {
			const name = `${resource.value}.${operation.value}`;
			const rows = node.rows.filter((row) => row.operation === name);
			const isDry = dryRuns[name] === field.endpoint;
			const isSent = ({ wire }: Row) => {
				const calls = callsOf(node, field.endpoint, wire);
				// A list may also be asked for with fewer filters, for something else.
				return field.part !== 'query' || operation.endpoint === field.endpoint
					? calls.length > 0
					: calls.some(({ query = [] }) => query.some(([sent]) => sent === field.path[0]));
			};
			const row = isDry ? rows[0] : rows.find(isSent);
			return row === undefined ? [] : [{ name, operation, row, isDry }];
		}),
	);

const fieldPanels = (field: StatedField, { name, operation, row, isDry }: Named): Panel[] => {
	const { params } = operation;
	if (otherMeanings[name] === field.name) return [];
	const wanted = screenNames[field.name] ?? field.path.at(-1)!;
	return placesOf(params, wanted).map((place) => {
		const { param } = place.at(-1)!;
		const offered = (param.options ?? []).flatMap((option) =>
			'value' in option ? [option.value] : [],
		);
		return {
			operation: name,
			label: place.map((step) => step.param.displayName).join(' > '),
			enter: (one) => ({ parameters: enterCase(params, row, place, one), input: row.input }),
			takes: (value) => !takesOne.has(name) || !Array.isArray(value) || value.length === 1,
			seed: row.seed,
			isDry,
			...(/options/i.test(param.type) && offered.length > 0 && { offered }),
		};
	});
};

/** A copy of `value` with another value at `path`, in every entry of a list on the way. */
const putAt = (value: unknown, [step, ...rest]: readonly string[], put: unknown): unknown => {
	if (step === undefined) return put;
	if (Array.isArray(value)) return value.map((entry) => putAt(entry, [step, ...rest], put));
	const fields = (value ?? {}) as Record<string, unknown>;
	return { ...fields, [step]: putAt(fields[step], rest, put) };
};

const additionalPanels = (field: StatedField, { name, operation, row, isDry }: Named): Panel[] => {
	const { params } = operation;
	const [top = '', ...inside] = field.path;
	const place = placesOf(params, 'additionalFields').find(
		(steps) =>
			steps.at(-1)!.param.type === 'json' && steps.every(({ group }) => group === undefined),
	);
	if (place === undefined || field.part !== 'body' || notAdditional(name, field)) return [];
	return [
		{
			operation: name,
			label: place.map((step) => step.param.displayName).join(' > '),
			enter: ({ value, alongside = {} }) => {
				const schema = schemaIn(field.endpoint, top);
				const nested = inside.length === 0 ? value : putAt(exampleOf(schema!), inside, value);
				const others = Object.entries(alongside);
				const isInBody = ([other]: [string, unknown]) =>
					schemaIn(field.endpoint, other) !== undefined;
				const inBody = Object.fromEntries(others.filter(isInBody));
				return {
					parameters: enterCase(params, row, place, {
						value: { ...inBody, [top]: nested },
						alongside: Object.fromEntries(
							others.filter((one) => !isInBody(one) && inside.length === 0),
						),
					}),
					input: row.input,
				};
			},
			seed: row.seed,
			isDry,
		},
	];
};

/* Panels of their own kind */

const { numbers } = demo;
const companiesOf = (count: number) => async (sandbox: Sandbox) => {
	for (let added = 1; added <= count; added++) {
		await sandbox.client().call(partner.companyCreate, {
			body: {
				company: { name: `${added}`, counteragentType: 'LEGAL', counteragentInn: '7707083893' },
			},
		});
	}
};
const messagesOf = (count: number) => async (sandbox: Sandbox) => {
	await addDispatches(sandbox, 1);
	const messages = Array.from({ length: count }, (_, index) => ({
		destination: `7916${String(index).padStart(7, '0')}`,
	}));
	await sandbox
		.client()
		.call(partner.dispatchAppend, { path: { id: firstNew }, body: { messages } });
};

/** A list asks for its pages by itself. */
const pagesOf = (operation: string, parameters: INodeParameters, seed: Row['seed']): Panel => ({
	operation,
	label: 'Return All',
	enter: () => ({ parameters: { ...parameters, returnAll: true } }),
	seed,
});
const limitOf = (operation: string, parameters: INodeParameters): Panel => ({
	operation,
	label: 'Limit',
	enter: ({ value }) => ({ parameters: { ...parameters, limit: value as number } }),
});

const credentialPanel = (name: string): Panel => ({
	operation: 'company.getAll',
	label: `the credential's ${name}`,
	enter: ({ value }) => ({ parameters: {}, credentials: { [name]: value as string } }),
});
const recipientsPanel = (operation: string, base: INodeParameters, name: string): Panel => ({
	operation,
	label: 'Recipients (JSON)',
	enter: ({ value, alongside: { destination = numbers.mts, text = 'Hello' } = {} }) => ({
		parameters: {
			...base,
			text,
			recipients: 'json',
			messagesJson: JSON.stringify([
				{ destination, [name]: name === 'customText' ? withWrittenBraces(value as string) : value },
			]),
		},
	}),
	isDry: operation in dryRuns,
	seed: async (sandbox) => await addDispatches(sandbox, 1),
});

const ofFlowers = { companyId: byId(demo.companies.flowers) };
const newDispatch = {
	...ofFlowers,
	name: 'March sale',
	channelType: 'SMS',
	senderIds: [demo.senders.mts],
};
const withPriceLimit = { ...newDispatch, priceLimit: 1000, priceCurrency: 'RUB' };
const creating = ['dispatch.create', 'dispatch.send', 'dispatch.preview'];
const jsonPanels = (name: string): Panel[] =>
	creating.map((operation) => recipientsPanel(operation, withPriceLimit, name));
const addingTo = { id: byId(firstNew) };
const moreJsonPanels = (name: string): Panel[] => [
	recipientsPanel('dispatch.addMessages', addingTo, name),
];
/** The values of placeholders, from the fields of the input item. */
const itemPanel = (operation: string, base: INodeParameters): Panel => ({
	operation,
	label: 'Fields With the Same Name',
	enter: ({ value, alongside: { text = '' } = {} }) => ({
		parameters: { ...base, text, recipients: 'items', destination: '={{ $json.phone }}' },
		input: { json: { phone: numbers.mts, ...(value as IDataObject) } },
	}),
	isDry: operation in dryRuns,
	seed: async (sandbox) => await addDispatches(sandbox, 1),
});
/** One recipient instead of all. */
const testPanel: Panel = {
	operation: 'dispatch.send',
	label: 'Test Number',
	enter: ({ value }) => ({
		parameters: {
			...withPriceLimit,
			text: 'Hello',
			recipients: 'define',
			messages: { recipient: [{ destination: numbers.beeline }] },
			mode: 'test',
			testNumber: value as string,
		},
	}),
};
const blacklistPanel = (operation: string, wanted: boolean): Panel => ({
	operation,
	label: 'the operation',
	takes: (value) => value === wanted,
	enter: () => ({ parameters: { ...ofFlowers, msisdn: numbers.mts } }),
});

/** Fields that no field of the screen is named after. */
const otherPanels: Readonly<Record<string, Panel[]>> = {
	'POST /auth/token body.login': [credentialPanel('login')],
	'POST /auth/token body.password': [credentialPanel('password')],
	'POST /company/{id}/documents body.file': [
		{
			operation: 'document.upload',
			label: 'Input Data Field Name',
			enter: ({ value }) => {
				const { filename, type, bytes } = value as {
					filename: string;
					type: string;
					bytes: Buffer;
				};
				return {
					parameters: { ...ofFlowers, binaryPropertyName: 'data' },
					input: itemWith(inMemory(bytes, filename, type)),
					onWire: fileOnWire(filename, type, bytes),
				};
			},
		},
	],
	'PUT /recipients body.blacklist': [
		blacklistPanel('blacklist.add', true),
		blacklistPanel('blacklist.remove', false),
	],
	'GET /company query.page': [pagesOf('company.getAll', {}, companiesOf(100))],
	'GET /company query.per_page': [limitOf('company.getAll', {})],
	'GET /dispatches query.page': [
		pagesOf('dispatch.getAll', ofFlowers, async (sandbox) => await addDispatches(sandbox, 100)),
	],
	'GET /dispatches query.perPage': [limitOf('dispatch.getAll', ofFlowers)],
	'GET /messages query.page': [
		pagesOf('message.getAll', { dispatchId: byId(firstNew) }, messagesOf(100)),
	],
	'GET /messages query.perPage': [
		limitOf('message.getAll', { dispatchId: byId(demo.dispatches.spring) }),
	],
	'GET /v1/message query.page': [
		pagesOf('message.getAll', {}, async (sandbox) => {
			for (let added = 0; added <= 100; added++) await addMessage(sandbox);
		}),
	],
	'GET /v1/message query.per_page': [limitOf('message.getAll', {})],
	'POST /v1/message/stop body.uuids': [
		{
			operation: 'message.stop',
			label: 'Message UUID',
			enter: ({ value }) => ({ parameters: { messageUuid: (value as string[])[0]! } }),
			seed: async (sandbox) => await addKnown(sandbox, 1),
		},
	],
	'POST /dispatches body.messages.destination': [...jsonPanels('destination'), testPanel],
	'POST /dispatches body.messages.substitutions': [
		...jsonPanels('substitutions'),
		...creating.map((operation) => itemPanel(operation, withPriceLimit)),
	],
	'POST /dispatches body.messages.customText': jsonPanels('customText'),
	'POST /dispatches/{id}/messages body.messages.destination': moreJsonPanels('destination'),
	'POST /dispatches/{id}/messages body.messages.substitutions': [
		...moreJsonPanels('substitutions'),
		itemPanel('dispatch.addMessages', addingTo),
	],
	'POST /dispatches/{id}/messages body.messages.customText': moreJsonPanels('customText'),
};

/** Every name in the tables above. */
export const namedFields = [
	...Object.keys(screenNames),
	...Object.keys(otherPanels),
	...Object.values(otherMeanings),
];
export const namedOperations = [
	...takesOne,
	...Object.keys(dryRuns),
	...Object.keys(otherMeanings),
];

/** Every way to give a stated field its value. */
export const panelsOf = (node: TestedNode, field: StatedField): Panel[] => [
	...operationsFor(node, field).flatMap((one) => [
		...fieldPanels(field, one),
		...additionalPanels(field, one),
	]),
	...(otherPanels[field.name] ?? []),
];
