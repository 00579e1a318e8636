import type { IExecuteFunctions } from 'n8n-workflow';
import { perRun } from './perRun';

/** A warning above the node's output. One for a whole run: a hint for each item would hide the others. */
export const addHint = (context: IExecuteFunctions, message: string): void => {
	context.addExecutionHints({ message, location: 'outputPane', type: 'warning' });
};

const told = perRun(() => new Set<string>());

/** The same, for what is found item by item: said once. */
export const addHintOnce = (context: IExecuteFunctions, message: string): void => {
	const messages = told(context);
	if (messages.has(message)) return;
	messages.add(message);
	addHint(context, message);
};

/** `1 item`, `3 items`, `1,200 items`. */
export const howMany = (count: number, one: string, many = `${one}s`): string =>
	`${count.toLocaleString('en')} ${count === 1 ? one : many}`;
