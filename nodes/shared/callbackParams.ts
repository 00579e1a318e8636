import type { NodeParameterValue } from 'n8n-workflow';
import { toCallbackUrl } from '../../core/contract/callbackUrl';
import { UnfitValueError } from '../../core/engine/errors';
import type { Param } from '../../core/engine/params';

/** Where the service reports: an address of the trigger. */
export const callbackUrl = {
	displayName: 'Callback URL',
	name: 'callbackUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://n8n.example.com/webhook/…',
	description:
		'Where the service reports what became of a message: an address of the Bulk Messaging Trigger. Once it is given, a second credential appears at the top: choose the one the trigger has, or it lets nobody in.',
} as const satisfies Param;

/** As the service takes it; a field that is added and left blank counts as left out. */
export const readCallbackUrl = (text: string | undefined): string | undefined => {
	if (text === undefined || text.trim() === '') return undefined;
	const result = toCallbackUrl(text);
	if (result.problem === undefined) return result.url;
	throw new UnfitValueError(callbackUrl.displayName, result.problem);
};

/**
 * For the Callback credential: who wants no reports need not wonder what it is for. The cast: n8n decides by the same
 * function whether a field and whether a credential is shown, but its type for credentials does not know conditions.
 */
export const whereCallbackUrlIsGiven = {
	'options.callbackUrl': [{ _cnd: { exists: true } }],
} as unknown as Record<string, NodeParameterValue[]>;
