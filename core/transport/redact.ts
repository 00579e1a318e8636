const longest = 500;

/** Text from outside, made fit to show: no secret, no control characters, not endless. */
export const toShowable = (text: string, secrets: readonly string[] = []): string => {
	// Far more than is shown: a secret at the edge must not survive as its first half.
	let shown = text.slice(0, longest * 20);
	for (const secret of secrets) {
		if (secret.length >= 3) shown = shown.replaceAll(secret, '***');
	}
	shown = shown.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
	return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
};
