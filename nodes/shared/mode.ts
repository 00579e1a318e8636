import type { Param } from '../../core/engine/params';

/** Whether to send or to rehearse, in the same words in both nodes. `more` are the choices that come after 'Send'. */
export const modeWith = <
	const More extends ReadonlyArray<{ name: string; value: string; description: string }>,
>(
	more: More,
) =>
	({
		displayName: 'Mode',
		name: 'mode',
		type: 'options',
		// An expression that gives another mode for some items would send what was to be rehearsed.
		noDataExpression: true,
		options: [
			{
				name: 'Dry Run',
				value: 'dryRun',
				description: 'See who would get which text. Nothing is created or sent.',
			},
			{ name: 'Send', value: 'send', description: 'Send the messages. This costs money.' },
			...more,
		],
		default: 'send',
		description: "Not sure? Choose 'Dry Run' first",
	}) as const satisfies Param;
