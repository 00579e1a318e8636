import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { readNetwork, type Network } from './callbacks/authenticate';
import type { Login } from '../../core/transport/connection';
import { UnfitValueError } from '../../core/engine/errors';
import { hasApiCredential } from './lookUp';
import { coerce } from '../../core/engine/coerce';
import { triggerOptions, type TriggerValues } from './parameters';
import { isEmpty } from '../../core/value';

type Context = IWebhookFunctions | IHookFunctions;

/** n8n returns the value that the user has chosen, in the parameter's type. */
const valueOf = <Name extends keyof TriggerValues>(context: Context, name: Name) =>
	context.getNodeParameter(name) as TriggerValues[Name];

const readNetworks = (text: string): Network[] =>
	text
		.split(/[\s,;]+/)
		.filter((entry) => entry !== '')
		.map((entry) => {
			const network = readNetwork(entry);
			if (network !== undefined) return network;
			throw new UnfitValueError(
				'Allowed IP Addresses',
				`contains "${entry}", which isn't an IP address or a network such as 192.0.2.0/24`,
			);
		});

/** Throws for options that can't work, such as a limit that isn't a number. */
export const readOptions = (value: unknown) =>
	// The type is inferred from the parameter that `coerce` reads the value with.
	coerce(value, triggerOptions) as TriggerValues['options'];

export const optionsOf = (context: Context) => readOptions(context.getNodeParameter('options'));

const credential = 'bulkMessagingCallbackApi';

const readLogin = async (context: Context): Promise<Login> => {
	if (context.getNode().credentials?.[credential] === undefined) {
		throw new UnfitValueError(
			'Authentication',
			"is 'Basic (Login and Password)', but no Callback credential is chosen. Choose one",
		);
	}
	const { login, password } = await context.getCredentials<
		ICredentialDataDecryptedObject & Partial<Login>
	>(credential);
	if (!login || !password) {
		throw new UnfitValueError(
			'Authentication',
			"is 'Basic (Login and Password)', but the Callback credential has no login or no password. Fill in both",
		);
	}
	return { login, password };
};

/** Who may call. Throws for invalid settings, so that they reject every caller. */
export const readAccess = async (context: Context) => {
	const authentication = valueOf(context, 'authentication');
	const { allowedAddresses = '' } = optionsOf(context);
	const networks = readNetworks(allowedAddresses);
	return {
		/** Empty: any caller. */
		networks,
		/** `undefined` only if the user chose no authentication. */
		login: authentication === 'none' ? undefined : await readLogin(context),
	};
};

/** An expression may return a single value instead of a list, or no value at all. */
const readChoices = <Value extends string>(label: string, value: readonly Value[] | undefined) => {
	const given: unknown = value;
	const list: unknown[] = (Array.isArray(given) ? given : [given]).filter((one) => !isEmpty(one));
	if (list.some((one) => typeof one !== 'string'))
		throw new UnfitValueError(label, "contains a value that isn't text");
	// An expression may return values that the editor doesn't offer. They match no event, so the cast does no harm.
	return list as Value[];
};

const readPattern = (label: string, value: unknown): string => {
	if (isEmpty(value)) return '';
	if (typeof value === 'string' || typeof value === 'number') return String(value).trim();
	throw new UnfitValueError(label, 'must be text or a number');
};

/** Which events start the workflow. */
export const readFilter = (context: Context) => {
	const events = readChoices('Trigger On', valueOf(context, 'events'));
	if (events.length === 0)
		throw new UnfitValueError('Trigger On', 'is empty. Choose at least one event');
	const { source, status, channelType, externalMessageId } = valueOf(context, 'filters');
	return {
		events,
		source: readChoices('Message Source', source),
		status: readChoices('Statuses', status),
		channelType: readChoices('Channels', channelType),
		externalMessageId: readPattern('Custom Message ID', externalMessageId),
	};
};

/** 'Add Message' without a credential would add an error to every event. */
export const checkLookUp = (context: IHookFunctions): void => {
	const { addMessage } = optionsOf(context);
	if (addMessage !== true || hasApiCredential(context.getNode())) return;
	throw new UnfitValueError(
		'Add Message',
		'needs a Bulk Messaging API credential. Choose one, or remove the option',
	);
};

/** Identifies a trigger across executions: the key of its memory. */
export const triggerOf = (context: Context | IExecuteFunctions): string =>
	`${context.getWorkflow().id} ${context.getNode().id}`;
