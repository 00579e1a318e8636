import type { IExecuteFunctions } from 'n8n-workflow';
import type { ResultOf } from '../../../core/contract/endpoint';
import { partner } from '../../../core/contract/partner';
import type { SenderEntry } from '../../../core/contract/sender';
import { UnfitValueError } from '../../../core/engine/errors';
import { addHintOnce } from '../../../core/engine/hints';
import { withSecretsHidden } from '../../../core/transport/connection';
import { list } from '../../../core/transport/list';
import type { HeadValues } from '../params/head';
import { failureAfter } from './refusal';

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
const senderProblems = (
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
const pickApproved = (
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
const uncoveredOperators = (
	chosen: readonly number[],
	approved: readonly number[],
	ofCompany: readonly SenderEntry[],
): string[] => {
	const operatorsOf = (ids: readonly number[]) =>
		ofCompany.flatMap(({ id, brand }) => (ids.includes(id) ? [brand] : []));
	const covered = new Set<string>(operatorsOf(chosen));
	return operatorsOf(approved).filter((brand) => !covered.has(brand));
};

/** The company has an approved name for these operators, but it wasn't chosen, so their recipients may be rejected. */
const hintAtOperators = (context: IExecuteFunctions, operators: readonly string[]): void => {
	if (operators.length === 0) return;
	addHintOnce(
		context,
		`None of the chosen sender names is for ${withSecretsHidden(context, operators.join(', '))}, so the service may reject recipients of these operators. To use every approved name, remove the option 'Sender Names or IDs'.`,
	);
};

/** The sender names for a dispatch, checked before anything is sent. The error lists each name that can't be used. */
export const toSenders = async (
	context: IExecuteFunctions,
	{ companyId, channelType, options: { senderIds } }: HeadValues,
	/** When the first message goes out. */
	at: number,
): Promise<{
	senderIds: number[];
	senderNames: ReadonlyMap<number, string>;
	/** The operators of the sender names. */
	brands: string[];
}> => {
	// A name with unreadable fields is unusable, and is rejected below.
	const ofCompany = (await list(context, partner.senderList, { query: { companyId } }).catch(
		(error: unknown) => {
			throw failureAfter(
				context,
				error,
				"Nothing was sent. The node couldn't check the sender names.",
			);
		},
	)) as ResultOf<typeof partner.senderList>;
	const senderNames = new Map(ofCompany.map(({ id, senderName }) => [id, String(senderName)]));
	const approved = pickApproved(ofCompany, channelType, at);
	const chosen = (ids: number[]) => ({
		senderIds: ids,
		senderNames,
		brands: ofCompany.flatMap(({ id, brand }) => (ids.includes(id) ? [brand] : [])),
	});
	if (senderIds === undefined) {
		if (approved.length > 0) return chosen(approved);
		throw new UnfitValueError(
			'Channel',
			`can't be used: the company has no approved sender name for ${channelType}`,
		);
	}
	const problems = senderProblems(senderIds, ofCompany, channelType, at);
	if (problems.length === 0) {
		hintAtOperators(context, uncoveredOperators(senderIds, approved, ofCompany));
		return chosen(senderIds);
	}
	throw new UnfitValueError(
		'Sender Names or IDs',
		withSecretsHidden(context, `can't be used: ${problems.join('; ')}`),
	);
};
