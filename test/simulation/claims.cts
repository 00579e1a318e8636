import { claimTable, type Claim } from './claimTable.cts';
import type { Outcome } from './node.cts';

export interface Sentence {
	text: string;
	/** `undefined` if the table doesn't know the sentence. */
	claim: Claim | undefined;
	/** The dispatch that it is about. */
	id?: number;
	count?: number;
	/** It speaks about the last try only. */
	isAboutTry: boolean;
}

export const split = (text: string): string[] =>
	text
		.replace(/^Items? [\d, ]+: /, '')
		.split(/(?<=[.!?])\s+(?=[A-Z"'0-9])/)
		.map((sentence) =>
			sentence
				.replace(/^First failure: /, '')
				.replace(/\.$/, '')
				.trim(),
		)
		.filter((sentence) => sentence !== '');

const toNumber = (text: string) => Number(text.replaceAll(',', ''));

const classify = (text: string): Sentence => {
	for (const [pattern, claim] of claimTable) {
		const found = pattern.exec(text);
		if (found === null) continue;
		const { id, count, undelivered = '0' } = found.groups ?? {};
		return {
			text,
			claim,
			...(id !== undefined && { id: Number(id) }),
			...(count !== undefined && { count: toNumber(count) - toNumber(undelivered) }),
			isAboutTry: text.includes('in this attempt'),
		};
	}
	return { text, claim: undefined, isAboutTry: false };
};

const textsIn = ({ items = [], error, hints }: Outcome): string[] => {
	const columns = items.flatMap(({ json }) => {
		const named = (json.notReached ?? []) as Array<{ reason?: unknown }>;
		return [json.reason, json.error, ...named.map(({ reason }) => reason)].filter(
			(text) => typeof text === 'string',
		);
	});
	return [
		...(error === undefined ? [] : [error.message, error.description ?? '']),
		...hints,
		...columns,
	];
};

/** Every sentence that a user reads about an outcome. */
export const sentencesOf = (outcome: Outcome): Sentence[] =>
	[...new Set(textsIn(outcome).flatMap(split))].map(classify);
