import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { ServiceError } from '../../../../../core/transport/errors';

/** An error in a later step, with a text that says what was already done. */
export const failureAfter = (
	context: IExecuteFunctions,
	error: unknown,
	doneBefore: string,
): Error => {
	if (error instanceof ServiceError) return error.after(doneBefore);
	const message = error instanceof Error ? error.message : String(error);
	return new NodeOperationError(context.getNode(), message, { description: doneBefore });
};
