import type { IExecuteFunctions } from 'n8n-workflow';

/** A warning above the node's output. One for a whole run: a hint for each item would hide the others. */
export const addHint = (context: IExecuteFunctions, message: string): void => {
	context.addExecutionHints({ message, location: 'outputPane', type: 'warning' });
};

/** `1 item`, `3 items`, `1,200 items`. */
export const howMany = (count: number, one: string, many = `${one}s`): string =>
	`${count.toLocaleString('en')} ${count === 1 ? one : many}`;
