/**
 * The nodes end the name of every dispatch with a code, for example `Spring sale #n8n-k3v09zq81m4c7xpa1200s1`. The company's list of
 * dispatches is the only thing that all runs, processes and crashes share, so the name carries the facts they need.
 */
export interface NameCode {
	/** A hash of all recipients and texts of the list that was meant. */
	readonly content: string;
	/** The run that made it: random, once per run. */
	readonly run: string;
	/** How many people it was made for. */
	readonly planned: number;
	/** Send starts it, Create leaves it for a person to start, or it is a test. */
	readonly purpose: 'send' | 'keep' | 'test';
	/** Which attempt of the run it is. */
	readonly attempt: number;
}

/** Letters and digits in a hash and in the code of a run. */
export const codeLength = 8;

const letters = { send: 's', keep: 'k', test: 't' } as const;
const purposes = { s: 'send', k: 'keep', t: 'test' } as const;
const ending = /(?<=\s)#n8n-(\w{8})(\w{8})(\d{1,9})([skt])(\d{1,4})$/;

export const codedName = (
	base: string,
	{ content, run, planned, purpose, attempt }: NameCode,
): string => `${base} #n8n-${content}${run}${planned}${letters[purpose]}${attempt}`;

/** The name as people gave it. */
export const withoutCode = (name: string): string => {
	const shorter = name.trimEnd().replace(ending, '');
	return shorter === name.trimEnd() ? name : withoutCode(shorter.trimEnd());
};

/** `undefined` if a node didn't make it, or the service shows another name than it was given. */
export const nameCodeIn = (name: string): NameCode | undefined => {
	const [, content = '', run = '', planned, letter = '', attempt] =
		ending.exec(name.trimEnd()) ?? [];
	if (planned === undefined) return undefined;
	// The expression allows only these letters.
	const purpose = purposes[letter as keyof typeof purposes];
	return { content, run, planned: Number(planned), purpose, attempt: Number(attempt) };
};
