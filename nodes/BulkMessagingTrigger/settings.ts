import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { readNetwork, type Network } from './callbacks/addresses';
import type { Login } from '../../core/transport/callbackLogin';
import { UnfitValueError } from '../../core/engine/errors';
import type { TriggerValues } from './parameters';

type Context = IWebhookFunctions | IHookFunctions;

/** n8n gives what the user has chosen, of the type the parameter has. */
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
				'Allowed Source Addresses',
				`holds "${entry}", which is no IP address and no network such as 192.0.2.0/24`,
			);
		});

const credential = 'bulkMessagingCallbackApi';

const readLogin = async (context: Context): Promise<Login> => {
	if (context.getNode().credentials?.[credential] === undefined) {
		throw new UnfitValueError('Authentication', 'is Basic, but no Callback credential is chosen');
	}
	const { login, password } = await context.getCredentials<
		ICredentialDataDecryptedObject & Partial<Login>
	>(credential);
	if (!login || !password) {
		throw new UnfitValueError(
			'Authentication',
			'is Basic, but the Callback credential has no login or no password',
		);
	}
	return { login, password };
};

/** Who may call. Settings that make no sense let nobody in: they throw. */
export const readAccess = async (context: Context) => {
	const authentication = valueOf(context, 'authentication');
	const allowed = valueOf(context, 'allowedAddresses');
	// An expression that gives nothing must not open the trigger to everybody.
	if (typeof allowed !== 'string') {
		throw new UnfitValueError('Allowed Source Addresses', 'must be a text');
	}
	const networks = readNetworks(allowed);
	return {
		/** Empty: from anywhere. */
		networks,
		/** Nothing only when the user wants it so. */
		login: authentication === 'none' ? undefined : await readLogin(context),
	};
};

const isLeftOut = (value: unknown) => value === undefined || value === null || value === '';

/** An expression may give a single value instead of a list, or no value at all. */
const readChoices = <Value extends string>(label: string, value: readonly Value[] | undefined) => {
	const given: unknown = value;
	const list: unknown[] = (Array.isArray(given) ? given : [given]).filter((one) => !isLeftOut(one));
	if (list.some((one) => typeof one !== 'string'))
		throw new UnfitValueError(label, 'holds something that is not a text');
	// Values that are not on offer match no event; their type is only what the editor offers.
	return list as Value[];
};

const readPattern = (label: string, value: unknown): string => {
	if (isLeftOut(value)) return '';
	if (typeof value === 'string' || typeof value === 'number') return String(value);
	throw new UnfitValueError(label, 'is neither a text nor a number');
};

/** What the workflow wants to hear of. */
export const readFilter = (context: Context) => {
	const events = readChoices('Trigger On', valueOf(context, 'events'));
	if (events.length === 0)
		throw new UnfitValueError('Trigger On', 'is empty. Choose at least one event');
	const { source, status, channelType, externalMessageId } = valueOf(context, 'filters');
	return {
		events,
		source: readChoices('Callbacks Of', source),
		status: readChoices('Statuses', status),
		channelType: readChoices('Channels', channelType),
		externalMessageId: readPattern('Own Message ID', externalMessageId),
	};
};

export const optionsOf = (context: Context) => valueOf(context, 'options');

/** The same trigger in every execution: its memory goes by it. */
export const triggerOf = (context: Context | IExecuteFunctions): string =>
	`${context.getWorkflow().id} ${context.getNode().id}`;
