const numberFrom = (name: string, byDefault: number): number => {
	const value = Number(process.env[name] ?? byDefault);
	if (Number.isInteger(value) && value >= 0) return value;
	throw new Error(`${name} must be a whole number.`);
};

/** Everything random follows from it. */
const seed = numberFrom('SEED', 1);

/** How often everything is tried. */
export const rounds = numberFrom('RUNS', 20);

/** FNV-1a: neighbouring numbers give seeds that have nothing in common. */
const hash = (text: string) => {
	let mixed = 0x811c9dc5;
	for (const char of text) mixed = Math.imul(mixed ^ (char.codePointAt(0) ?? 0), 0x01000193);
	return mixed >>> 0;
};

/** The seed of one run: the same whatever else runs. */
export const seedOf = (what: string, round: number): number => hash(`${seed} ${what} ${round}`);

/** The seeds of all runs of one kind. */
export const seedsOf = (what: string, share = 1): number[] =>
	Array.from({ length: Math.ceil(rounds * share) }, (_, round) => seedOf(what, round));
