import { messaging } from '../../../../core/contract/messaging';
import { toItem } from '../../../../core/engine/items';
import { defineOperation } from '../../../../core/engine/operation';
import { z } from '../../../../vendor/zod';

/** Any other status is the outcome `unknown`, which doesn't confirm the number. */
const codeOutcomes: ReadonlyMap<string, string> = new Map([
	['CONFIRMED', 'confirmed'],
	['WRONG_CODE', 'wrongCode'],
	['EXPIRED', 'expired'],
	['NOT_FOUND', 'notFound'],
]);

export const checkCode = defineOperation({
	value: 'checkCode',
	name: 'Check Code',
	action: 'Check verification code',
	description:
		"Check whether a code is the one that 'Send Code' sent. A wrong code is a result, not an error.",
	endpoint: messaging.codeCheck,
	output: z.object({ confirmed: z.boolean(), outcome: z.string(), status: z.string() }),
	params: [
		{
			displayName: 'Verification UUID',
			name: 'uuid',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.uuid }}',
			description: "The uuid that 'Send Code' returned",
		},
		{
			displayName: 'Code',
			name: 'code',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.code }}',
			description: 'The code that the person entered',
		},
	],
	request: ({ uuid, code }) => ({ body: { uuid: uuid.trim(), code: code.trim() } }),
	toItems: (reply) => {
		const outcome = codeOutcomes.get(reply.status) ?? 'unknown';
		// `confirmed` comes last, so that a field of the same name in the response can't replace it.
		return [{ ...toItem(reply), confirmed: outcome === 'confirmed', outcome }];
	},
});
