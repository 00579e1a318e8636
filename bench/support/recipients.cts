/** The people of the figures about dispatches: what a CRM holds of them, and what the service must get. */

export type Row = {
	phone: string;
	name: string;
	order: number;
	discount: string;
};

export const text = 'Dear {name}, your order {order} is ready: {discount} off the next one.';
export const placeholders = ['name', 'order', 'discount'] as const;
export const batchSize = 1_000;

const pieces = /^(\d{3})(\d{3})(\d\d)(\d\d)$/;
/** The ways in which such numbers are written. */
const forms = ['+7 $1 $2-$3-$4', '8 ($1) $2-$3-$4', '$1$2$3$4', '7$1$2$3$4'];

const first = 79_160_000_000;
/** As the service must get it. */
export const digitsOf = (index: number) => String(first + index);
const rowOf = (index: number): Row => ({
	phone: digitsOf(index)
		.slice(1)
		.replace(pieces, forms[index % forms.length]),
	name: `Name ${index}`,
	order: index,
	discount: `${index % 50} %`,
});

/** As they come out of a reply or a file: parsed, every text whole. */
export function rowsUpTo(count: number): Row[] {
	const rows: Row[] = [];
	for (let begin = 0; begin < count; begin += batchSize) {
		const length = Math.min(batchSize, count - begin);
		const some = Array.from({ length }, (_, index) => rowOf(begin + index));
		for (const row of JSON.parse(JSON.stringify(some)) as Row[]) rows.push(row);
	}
	return rows;
}

interface Message {
	destination: string;
	substitutions: Record<string, unknown>;
}

/** Throws unless exactly the first `count` people are in these requests, each once and with the right values. */
export function expectArrived(bodies: readonly string[], count: number): void {
	const seen = new Uint8Array(count);
	let arrived = 0;
	for (const body of bodies) {
		for (const { destination, substitutions } of (JSON.parse(body) as { messages: Message[] })
			.messages) {
			const index = Number(destination) - first;
			const { name, order, discount } = rowOf(index);
			if (seen[index] !== 0) throw new Error(`${destination} came twice, or should not be there.`);
			const wanted = { name, order: String(order), discount };
			if (JSON.stringify(substitutions) !== JSON.stringify(wanted)) {
				throw new Error(`${destination} came with ${JSON.stringify(substitutions)}.`);
			}
			seen[index] = 1;
			arrived++;
		}
	}
	if (arrived !== count) throw new Error(`${arrived} recipients arrived instead of ${count}.`);
}
