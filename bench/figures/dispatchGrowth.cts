import type { Comparison, Figure } from '../support/figure.cts';
import { runDispatches } from '../support/programs.cts';
import { inRounds } from '../support/rounds.cts';

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Consecutive parts of these lengths. */
const inParts = (values: readonly number[], lengths: readonly number[]): number[][] => {
	const rest = [...values];
	return lengths.map((length) => rest.splice(0, length));
};

export const dispatchGrowth: Figure = {
	name: 'Growth of Dispatch Create',
	run: async (ground) => {
		const { quick, report } = ground;
		const [tiny, small, middle, large] = quick
			? [300, 1_000, 3_000, 5_000]
			: [1_000, 10_000, 100_000, 1_000_000];
		const [warmUps, smalls, tinies] = quick ? [1, 1, 1] : [5, 10, 30];
		/** One small dispatch takes no time worth measuring: several in a row do, after some to warm up. */
		const several = (count: number, size: number) => Array.from({ length: count }, () => size);

		const perRecipient: Record<'tiny' | 'small' | 'middle', number[]> = {
			tiny: [],
			small: [],
			middle: [],
		};
		const { large: values } = await inRounds(
			quick ? 1 : 4,
			{
				large: async () => {
					const sizes = [
						...several(warmUps, small),
						...several(smalls, small),
						...several(tinies, tiny),
						middle,
						large,
					];
					const runs = await runDispatches('nodeInCore', sizes, ground);
					const microseconds = runs.map(({ ms }, index) => (ms * 1_000) / sizes[index]);
					const [, ofSmall, ofTiny, [ofMiddle, ofLarge]] = inParts(microseconds, [
						warmUps,
						smalls,
						tinies,
						2,
					]);
					perRecipient.small.push(mean(ofSmall));
					perRecipient.tiny.push(mean(ofTiny));
					perRecipient.middle.push(ofMiddle);
					return ofLarge;
				},
			},
			report,
		);

		const theirs = {
			name: `${small.toLocaleString('en')} recipients`,
			values: perRecipient.small,
		};
		const rowFor = (size: number, measured: number[]): Comparison => ({
			what: `time per recipient with ${size.toLocaleString('en')}`,
			unit: 'µs',
			ours: { name: `${size.toLocaleString('en')} recipients`, values: measured },
			theirs,
		});
		return [
			rowFor(tiny, perRecipient.tiny),
			rowFor(middle, perRecipient.middle),
			{
				...rowFor(large, values),
				limit: 1.2,
				note: "our node in n8n's engine alone, in a process with 6 GB of heap: a whole n8n also keeps and saves the items of every node, which nobody does with a million",
			},
		];
	},
};
