const longest = 500;

const withoutControls = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** A secret as it may come back: as it is, inside of JSON, inside of an address. */
const writtenForms = (secret: string) => {
	const plain = withoutControls(secret);
	return [plain, JSON.stringify(secret.trim()).slice(1, -1), encodeURIComponent(secret.trim())];
};

/** Text from outside, made fit to show: no secret, no control characters, not endless. */
export const toShowable = (text: string, secrets: readonly string[] = []): string => {
	// Longest first: a secret may begin with another one.
	const forms = secrets.flatMap(writtenForms).sort((a, b) => b.length - a.length);
	// Cleaned before and cut after: what hides a secret must see it whole.
	let shown = withoutControls(text);
	for (const form of forms) {
		if (form.length >= 3) shown = shown.replaceAll(form, '***');
	}
	return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
};
