import type { z } from '../../vendor/zod';
import type { Brand as BrandSchema } from '../../core/contract/values';

export type Brand = z.infer<typeof BrandSchema>;

/**
 * Which operator a Russian mobile code belongs to. This short table is our choice: real ranges are finer, and numbers
 * move between operators.
 */
const codes: Record<Brand, string> = {
	MTS: '910-919 978 980-989',
	BEELINE: '903 905 906 909 960-968',
	MEGAFON: '920-939',
	TELE2: '900-902 904 908 950-953 977 991-996',
};

const byCode = new Map<string, Brand>();
for (const brand of ['MTS', 'BEELINE', 'MEGAFON', 'TELE2'] as const) {
	for (const range of codes[brand].split(' ')) {
		const [first, last = first] = range.split('-').map(Number);
		for (let code = first; code <= last; code++) byCode.set(String(code), brand);
	}
}

/** The operator of `79161234567`, or `undefined` for other countries, landlines and codes outside the table. */
export const operatorOf = (destination: string): Brand | undefined =>
	destination.length === 11 && destination.startsWith('7')
		? byCode.get(destination.slice(1, 4))
		: undefined;

/** The full company names, as the messaging API shows them. */
export const brandNames: Record<Brand, string> = {
	MTS: 'Mobile TeleSystems PJSC',
	BEELINE: 'Vimpel-Communications PJSC',
	MEGAFON: 'MegaFon PJSC',
	TELE2: 'T2 Mobile LLC',
};

export const countryOf = (destination: string): string | undefined =>
	destination.length === 11 && destination.startsWith('7') ? 'RU' : undefined;

/** In words. Every Russian number is from one region: this is our choice. */
export const placeOf = (destination: string): { country: string | null; region: string | null } =>
	countryOf(destination) === 'RU'
		? { country: 'Russia', region: 'Moscow' }
		: { country: null, region: null };

/** `brandId` of the message object. The numbers are our choice. */
export const brandIds: Record<Brand, number> = { MTS: 1, BEELINE: 2, MEGAFON: 3, TELE2: 4 };
