import type { IExecuteFunctions } from 'n8n-workflow';
import { ledgerOf } from '../../core/engine/ledger';
import type { Checked, Made } from './job';
import { randomCode } from './plan/names';
import type { StartOutcome } from './steps/start';

/** One dispatch that a run has created, or may have created. */
export interface DispatchRecord {
	/** With its code. */
	readonly name: string;
	readonly itemIndexes: readonly number[];
	/** `undefined` if the response was lost. */
	readonly id?: number;
	/** Once it holds exactly what it should. */
	readonly made?: { readonly checked: Checked; readonly made: Made };
	/** Recorded before the request, so that a start that is cut off is never taken for one that wasn't tried. */
	readonly start?: StartOutcome;
	/** Create has finished it for a person to start. */
	readonly isKept?: boolean;
}

/** What one run has done with dispatches, in all tries of 'Retry On Fail'. Everything else is derived from it. */
export class Journal {
	readonly runCode = randomCode();

	private readonly records = new Map<string, DispatchRecord>();

	get all(): DispatchRecord[] {
		return [...this.records.values()];
	}

	/** What the run has done for these items. They aren't recognized by name or content: an expression may change between tries. */
	of(itemIndexes: readonly number[]): DispatchRecord[] {
		const { all } = this;
		if (all.length === 0) return [];
		const items = new Set(itemIndexes);
		return all.filter((one) => one.itemIndexes.some((index) => items.has(index)));
	}

	note(name: string, more: Partial<DispatchRecord>): void {
		this.records.set(name, { itemIndexes: [], ...this.records.get(name), ...more, name });
	}
}

/** Whether people may have got messages from it. */
export const mayBeSent = ({ start }: DispatchRecord): boolean =>
	start?.is === 'done' || start?.is === 'unknown';

export const journalOf = (context: IExecuteFunctions): Journal =>
	ledgerOf(context).record('dispatches', () => new Journal());
