import fc from 'fast-check';
import { surelyMatchesSchema, MessageSendFields } from '../../core/contract/messaging';
import { Datetime, parseDatetime } from '../../core/contract/values';

/** Checks that are made for every message have a faster form. It must never accept more than the slower one. */

const numbers = fc.oneof(
	fc.stringMatching(/^\d{0,17}$/),
	fc.string(),
	fc.constantFrom('79161234567', ' 79161234567', '79161234567\n', '７９１６１２３４５６７'),
	fc.integer(),
);
const values = fc.oneof(
	fc.string(),
	fc.constantFrom('', ' ', '\n', 'Hello', undefined, null, 0, {}),
);

it('accepts no message that the schema rejects', () => {
	fc.assert(
		fc.property(numbers, values, values, (destination, content, externalMessageId) => {
			const message = {
				channelType: 'SMS',
				senderName: 'A',
				destination,
				content,
				externalMessageId,
			};
			const given = message as Parameters<typeof surelyMatchesSchema>[0];
			fc.pre(surelyMatchesSchema(given));
			expect(MessageSendFields.safeParse(given).success).toBe(true);
		}),
	);
});

it('accepts a usual message', () => {
	expect(
		surelyMatchesSchema({
			channelType: 'SMS',
			senderName: 'A',
			destination: '79161234567',
			content: 'Hello',
			externalMessageId: 'crm-1',
		}),
	).toBe(true);
});

const twoDigits = fc.integer({ min: 0, max: 35 }).map((number) => String(number).padStart(2, '0'));
const times = fc
	.tuple(
		fc.constantFrom('2024', '2025', '2026', '0000', '9999'),
		twoDigits,
		twoDigits,
		twoDigits,
		twoDigits,
		fc.constantFrom('', ':00', ':59.123', ':60', ':00.1234567890'),
		fc.constantFrom('Z', '+03:00', '+0300', '-25:00', ''),
	)
	.map(
		([year, month, day, hour, minute, rest, zone]) =>
			`${year}-${month}-${day}T${hour}:${minute}${rest}${zone}`,
	);

it('reads the same times as the schema', () => {
	fc.assert(
		fc.property(fc.oneof(times, fc.string(), fc.integer(), fc.constant(null)), (value) => {
			expect(parseDatetime(value)).toBe(
				Datetime.safeParse(value).success ? Date.parse(String(value)) : NaN,
			);
		}),
		{ numRuns: 2_000 },
	);
});
