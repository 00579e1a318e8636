import type { SenderEntry } from '../../../../../core/contract/sender';

/** Why a sender name can't be used at this time: the rest of a sentence after `"NAME" (MTS)`. `undefined` if it can. */
const senderProblem = (
	sender: SenderEntry,
	channelType: string,
	at: number,
): string | undefined => {
	if (sender.suspended) return 'is suspended';
	if (sender.status !== 'APPROVED') return `isn't approved: its status is ${sender.status}`;
	if (sender.dateTo !== null && Date.parse(sender.dateTo) < at)
		return `isn't valid after ${sender.dateTo}`;
	if (Date.parse(sender.dateFrom) > at) return `isn't valid before ${sender.dateFrom}`;
	if (sender.channelType !== channelType) return `is a sender name for ${sender.channelType}`;
	return undefined;
};

const label = ({ senderName, brand }: SenderEntry) => `"${senderName}" (${brand})`;

/** The problems with the chosen sender names, one sentence each. */
export const senderProblems = (
	chosen: readonly number[],
	ofCompany: readonly SenderEntry[],
	channelType: string,
	at: number,
): string[] => {
	const byId = new Map(ofCompany.map((sender) => [sender.id, sender]));
	const operators = new Map<string, SenderEntry>();
	return chosen.flatMap((id) => {
		const sender = byId.get(id);
		if (sender === undefined) return [`${id} isn't one of this company's sender names`];
		const other = operators.get(sender.brand);
		operators.set(sender.brand, sender);
		const problem =
			senderProblem(sender, channelType, at) ??
			(other && `and ${label(other)} are both for ${sender.brand}: choose one per operator`);
		return problem === undefined ? [] : [`${label(sender)} ${problem}`];
	});
};

/** One usable sender name for each operator. If there are several, the oldest. */
export const pickApproved = (
	ofCompany: readonly SenderEntry[],
	channelType: string,
	at: number,
): number[] => {
	const usable = ofCompany
		.filter((sender) => senderProblem(sender, channelType, at) === undefined)
		.sort((a, b) => a.id - b.id);
	return [...new Map(usable.reverse().map(({ brand, id }) => [brand, id])).values()].reverse();
};

/** Operators for which the company has an approved name but none was chosen. */
export const uncoveredOperators = (
	chosen: readonly number[],
	approved: readonly number[],
	ofCompany: readonly SenderEntry[],
): string[] => {
	const operatorsOf = (ids: readonly number[]) =>
		ofCompany.flatMap(({ id, brand }) => (ids.includes(id) ? [brand] : []));
	const covered = new Set<string>(operatorsOf(chosen));
	return operatorsOf(approved).filter((brand) => !covered.has(brand));
};
