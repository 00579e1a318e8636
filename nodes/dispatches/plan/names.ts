import { codeLength } from '../../../core/contract/dispatchName';
import type { AcceptedRecipient } from './rows';

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

const places = 36 ** codeLength;

const toCode = (value: number): string => (value % places).toString(36).padStart(codeLength, '0');

/** Never made from IDs of n8n: an MCP tool call has no execution ID, and a copied instance continues the same numbers. */
export const randomCode = (): string => toCode(Math.floor(Math.random() * places));

/** A hash of who gets which text, in any order: two lists with the same people and texts have the same one. */
export const contentCode = (recipients: readonly AcceptedRecipient[]): string => {
	let high = 0;
	let low = 0;
	for (const { destination, text = '' } of recipients) {
		let one = 0x811c_9dc5;
		let other = 0x9747_b28c;
		const whole = `${destination}\n${text}`;
		for (let index = 0; index < whole.length; index++) {
			const unit = whole.charCodeAt(index);
			one = Math.imul(one ^ unit, 0x0100_0193);
			other = Math.imul(other ^ unit, 0x5bd1_e995);
			other ^= other >>> 15;
		}
		high = (high + one) >>> 0;
		low = (low + other) >>> 0;
	}
	// 53 bits: as many as a number has.
	return toCode((high & 0x1f_ffff) * 0x1_0000_0000 + low);
};
