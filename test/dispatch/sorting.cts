import type { AcceptedRecipient, RejectedRecipient, Row } from '../../nodes/dispatches/plan/rows';
import { Sorter, type SortingRules } from '../../nodes/dispatches/plan/sorter';

/** Sorts recipients as the node does, and gives all of them at once. */
export const sortRecipients = (
	rows: Iterable<Row>,
	rules: SortingRules,
): { accepted: AcceptedRecipient[]; rejected: RejectedRecipient[] } => {
	const sorter = new Sorter(rules);
	for (const row of rows) sorter.add(row);
	return { accepted: [...sorter.accepted], rejected: sorter.rejected };
};
