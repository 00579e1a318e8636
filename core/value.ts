/** Whether there is no value: an empty field, an empty cell, or a response without content. */
export const isEmpty = (value: unknown): value is undefined | null | '' =>
	value === undefined || value === null || value === '';

/** Whether there is no value, or only text without a visible character. */
export const isBlank = (value: unknown): boolean =>
	isEmpty(value) || (typeof value === 'string' && value.trim() === '');

/** An ID: text that isn't blank, or a whole number. JSON.parse rounds larger ones, so two entries could get the same one. */
export const idIn = (value: unknown): string | undefined => {
	if (typeof value === 'string') return isBlank(value) ? undefined : value;
	return Number.isSafeInteger(value) ? String(value) : undefined;
};
