/**
 * Measures several things in turns, `count` times. Every other round goes backwards, so that nobody always comes right
 * after the same neighbour.
 */
export async function inRounds<Name extends string>(
	count: number,
	measures: Record<Name, () => Promise<number>>,
	report: (text: string) => void,
): Promise<Record<Name, number[]>> {
	const names = Object.keys(measures) as Name[];
	const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
		Name,
		number[]
	>;
	for (let round = 0; round < count; round++) {
		for (const name of round % 2 === 0 ? names : [...names].reverse()) {
			const value = await measures[name]();
			results[name].push(value);
			report(`${round + 1} of ${count}: ${name} ${Math.round(value).toLocaleString('en')}`);
		}
	}
	return results;
}
