import type { IExecuteFunctions } from 'n8n-workflow';
import { ledgerOf } from './ledger';

/** Shows a warning above the node's output. Call it once per run, because one hint per item would hide the others. */
export const addHint = (context: IExecuteFunctions, message: string): void => {
	context.addExecutionHints({ message, location: 'outputPane', type: 'warning' });
};

/** The same for warnings that several items may cause: each text is shown once. n8n shows only the hints of a run's last try. */
export const addHintOnce = (context: IExecuteFunctions, message: string): void => {
	const shown = ledgerOf(context).record('hints', () => new Map<string, IExecuteFunctions>());
	if (shown.get(message) === context) return;
	shown.set(message, context);
	addHint(context, message);
};

/** `1 item`, `3 items`, `1,200 items`. */
export const howMany = (count: number, one: string, many = `${one}s`): string =>
	`${count.toLocaleString('en')} ${count === 1 ? one : many}`;
