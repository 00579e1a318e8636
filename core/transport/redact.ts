const longest = 500;

/** Text from outside, made fit to show: no secret, no control characters, not endless. */
export const toShowable = (text: string, secrets: readonly string[] = []): string => {
	// Twice the length before cutting: a secret at the edge must not survive as its first half.
	let shown = text.slice(0, longest * 20);
	for (const secret of secrets) {
		if (secret.length >= 3) shown = shown.replaceAll(secret, '***');
	}
	// eslint-disable-next-line no-control-regex -- control characters are what is looked for
	shown = shown.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();
	return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
};
