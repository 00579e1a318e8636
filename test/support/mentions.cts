import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { BulkMessagingApi } from '../../credentials/BulkMessagingApi.credentials';
import { BulkMessagingCallbackApi } from '../../credentials/BulkMessagingCallbackApi.credentials';
import { BulkMessagingPartnerApi } from '../../credentials/BulkMessagingPartnerApi.credentials';

/* A text that names a field, an option or an operation is right only if the reader finds that name on the screen. */

/** An operation as workflows store it. The trigger has none. */
interface Chosen {
	resource?: unknown;
	operation?: unknown;
}

/** What n8n itself shows for every node. */
const ofN8n = [
	'Execute Once',
	'Expression',
	'Fixed',
	'On Error',
	'Operation',
	'Resource',
	'Retry On Fail',
	'Settings',
];

interface Entry {
	displayName?: string;
	name: string;
	description?: string;
	hint?: string;
	placeholder?: string;
}

/** Parameters, their modes, options and groups, at any depth. */
const entriesIn = (properties: readonly INodeProperties[]): Entry[] =>
	properties.flatMap(({ modes = [], options = [], ...property }) => [
		property,
		...modes,
		...options.flatMap((option): Entry[] => {
			if ('values' in option) return [option, ...entriesIn(option.values)];
			return 'type' in option ? entriesIn([option]) : [option];
		}),
	]);

const labelOf = ({ displayName, name }: Entry) => displayName ?? name;

const credentials: ICredentialType[] = [
	new BulkMessagingApi(),
	new BulkMessagingCallbackApi(),
	new BulkMessagingPartnerApi(),
];
/** Errors also name what is in the credential. */
export const namesOfCredentials = credentials.flatMap(({ displayName, properties }) => [
	`Credential for ${displayName}`,
	...entriesIn(properties).map(labelOf),
]);

const isSelector = ({ name }: INodeProperties) => name === 'resource' || name === 'operation';

export const panelOf = (
	{ properties }: INodeTypeDescription,
	{ resource, operation }: Chosen = {},
): { names: string[]; texts: string[] } => {
	const isFor = (allowed: readonly unknown[] | undefined, chosen: unknown) =>
		chosen === undefined || allowed === undefined || allowed.includes(chosen);
	const shown = properties.filter(({ displayOptions: { show = {} } = {} }) => {
		const { resource: resources, operation: operations } = show as Record<string, unknown[]>;
		return isFor(resources, resource) && isFor(operations, operation);
	});
	const described = entriesIn(shown.filter((property) => !isSelector(property)));
	const own = shown
		.filter(isSelector)
		.flatMap(({ options = [] }) => options)
		.filter((option) => 'value' in option && option.value === operation);
	return {
		names: [...ofN8n, ...entriesIn(shown).map(labelOf)],
		texts: [...own, ...described].flatMap((entry: Entry) => [
			labelOf(entry),
			entry.description ?? '',
			entry.hint ?? '',
			entry.placeholder ?? '',
		]),
	};
};

/** What is in single quotes. An apostrophe inside a word is none, and double quotes enclose values. */
const mentionsIn = (text: string): string[] =>
	[
		...text
			.replace(/The service says: .*/s, '')
			// An error of n8n.
			.replace(/\bbinary (?:file|field) '.*/s, '')
			// It says where the field is.
			.replaceAll(/the trigger's (?:own )?'[^']+'/g, '')
			.replaceAll(/"[^"]*"/g, '…')
			.matchAll(/(?<!\w)'((?:[^']|(?<=\w)'(?=\w))+)'(?!\w)/g),
	].map(([, name = '']) => name);

/** The names in the texts that nobody finds. */
export const unknownNames = (texts: readonly string[], names: readonly string[]): string[] => {
	const known = new Set(names);
	return texts.flatMap((text) =>
		mentionsIn(text)
			.filter((name) => !name.includes('…') && !known.has(name))
			.map((name) => `'${name}' in: ${text}`),
	);
};

/** For every run of a node in a test: its errors and hints name only what the panel of its operation has. */
export const requireKnownNames = (
	description: INodeTypeDescription,
	chosen: Chosen,
	texts: readonly unknown[],
): void => {
	const read = texts.filter((text) => typeof text === 'string' && text.includes("'")) as string[];
	if (read.length === 0 || chosen.operation === undefined) return;
	const { names } = panelOf(description, chosen);
	const unknown = unknownNames(read, [...names, ...namesOfCredentials]);
	if (unknown.length > 0) throw new Error(`Not in the panel: ${unknown.join('\n')}`);
};
