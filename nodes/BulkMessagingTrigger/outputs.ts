import type { ExpressionString } from 'n8n-workflow';
import { eventNames, events as eventTable } from '../../core/contract/events';

const unrecognisedName = 'Unrecognised';

interface Branching {
	events: readonly string[];
	options: { branchPerEvent?: boolean; unrecognised?: 'item' | 'branch' };
}

/**
 * The events that have an output of their own, in the order of the outputs; nothing when all leave together. What cannot be
 * understood has no kind: where every kind has its branch, it gets one too.
 */
export const branchesOf = ({ events, options }: Branching) => ({
	kinds:
		options.branchPerEvent === true
			? eventNames.filter((name) => events.includes(name))
			: undefined,
	hasUnrecognised: options.branchPerEvent === true || options.unrecognised === 'branch',
});

/** The same for the editor, which draws the outputs. n8n does not evaluate it when a callback comes. */
export const outputs: ExpressionString = `={{ ((parameters) => {
	const { branchPerEvent, unrecognised } = parameters.options ?? {};
	const kinds = ${JSON.stringify(eventNames.map((name) => [name, eventTable[name].label]))};
	const names = branchPerEvent ? kinds.filter(([value]) => (parameters.events ?? []).includes(value)).map(([, name]) => name) : ['Events'];
	if (branchPerEvent || unrecognised === 'branch') names.push('${unrecognisedName}');
	return names.length === 1 ? [{ type: 'main' }] : names.map((displayName) => ({ type: 'main', displayName }));
})($parameter) }}`;
