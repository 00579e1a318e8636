/**
 * A name as it is compared with others: two names that look the same to a person are the same. A service may also trim a name, or
 * store it in another Unicode form.
 */
export const comparableName = (name: string): string =>
	name
		.normalize('NFKC')
		.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
		// By way of the capitals, because some letters have two small forms, and ß becomes SS. A capital ẞ has to become ß first.
		.toLowerCase()
		.toUpperCase()
		.toLowerCase()
		.normalize('NFKC')
		.replace(/\s+/g, ' ')
		.trim();
