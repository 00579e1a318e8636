import type { ExpressionString } from 'n8n-workflow';
import { eventNames, events as eventTable } from '../../core/contract/events';

const unrecognizedName = 'Unrecognized';

interface Branching {
	events: readonly string[];
	options: { branchPerEvent?: boolean; unrecognised?: 'item' | 'branch' };
}

/**
 * The events that have a separate output, in the order of the outputs; `undefined` when all events share one. If every event has
 * a separate output, unrecognized events get one too, because none of the others fits them.
 */
export const branchesOf = ({ events, options }: Branching) => ({
	kinds:
		options.branchPerEvent === true
			? eventNames.filter((name) => events.includes(name))
			: undefined,
	hasUnrecognized: options.branchPerEvent === true || options.unrecognised === 'branch',
});

/** The same as an expression for the editor, which draws the outputs. n8n doesn't evaluate it for each callback. */
export const outputs: ExpressionString = `={{ ((parameters) => {
	const { branchPerEvent, unrecognised } = parameters.options ?? {};
	const kinds = ${JSON.stringify(eventNames.map((name) => [name, eventTable[name].label]))};
	const names = branchPerEvent ? kinds.filter(([value]) => (parameters.events ?? []).includes(value)).map(([, name]) => name) : ['Events'];
	if (branchPerEvent || unrecognised === 'branch') names.push('${unrecognizedName}');
	return names.length === 1 ? [{ type: 'main' }] : names.map((displayName) => ({ type: 'main', displayName }));
})($parameter) }}`;
