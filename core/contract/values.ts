import { z } from '../../vendor/zod';
import type { SourceName } from './provenance';
import { isHttpUrl } from './rfc3986';

/**
 * A set that the service may extend: the listed values are offered, others are accepted. The second parameter says where the values
 * come from that the interface doesn't state.
 */
const openSet = <const Known extends readonly [string, ...string[]]>(
	known: Known,
	given: Partial<Record<Known[number], SourceName>> | SourceName = {},
) => {
	const sources =
		typeof given === 'object' ? given : Object.fromEntries(known.map((value) => [value, given]));
	return Object.assign(z.string().min(1), { known, sources }) as z.ZodType<
		Known[number] | (string & NonNullable<unknown>),
		z.ZodStringDef,
		Known[number] | (string & NonNullable<unknown>)
	> & { readonly known: Known; readonly sources: Partial<Record<string, SourceName>> };
};

export const ChannelType = openSet([
	'SMS',
	'VIBER',
	'WHATSAPP',
	'VK',
	'TELEGRAM',
	'FLASHCALL',
	'VOICECODE',
	'TEXT_TO_SPEECH',
	'WEASY',
	'PUSH',
]);
export const CallbackStatus = openSet([
	'sent',
	'delivered',
	'undelivered',
	'unsent',
	'read',
	'unread',
	'inbound_sent',
]);
/** Of a message in a list, and of the filter `status`. `read` and `unread` are another field, `readStatus`. */
export const ListedStatus = openSet(
	['sending', 'sent', 'delivered', 'undelivered', 'unsent', 'inbound_sent'],
	{ sending: 'page', inbound_sent: 'guess' },
);
export const SendingMethod = openSet(['API', 'UI', 'VERIFIER_API', 'VERIFIER_WIDGET'], {
	API: 'page',
	UI: 'page',
});
export const TrafficTypeOpen = openSet(['PROMO', 'SERVICE', 'TRANSACT', 'AUTHORIZE']);

export const CounteragentType = z.enum(['LEGAL', 'INDIVIDUAL']);
export const CompanyStatus = z.enum(['ACTIVE', 'DISABLED']);
export const CommonType = z.enum([
	'PROMO',
	'COMMON',
	'MULTISIGNATURE',
	'INTERNATIONAL_VERIFY',
	'INTERNATIONAL_COMMON',
]);
export const Brand = z.enum(['MTS', 'BEELINE', 'MEGAFON', 'TELE2']);
export const SenderStatus = z.enum([
	'DRAFT',
	'PRE_REVIEW',
	'INTERNAL_REVIEW',
	'EXTERNAL_REVIEW',
	'AWAITING',
	'APPROVED',
	'REJECTED',
	'DENIED',
	'CLOSED',
]);
export const DispatchStatus = z.enum(['CREATED', 'STARTED', 'STOPPED', 'COMPLETED']);
export const MessageStatus = z.enum(['CREATED', 'SENT', 'DELIVERED', 'FAILED']);
export const SenderType = z.enum(['COMMON', 'START', 'PRO']);
export const TrafficType = z.enum(['PROMO', 'SERVICE', 'TRANSACT', 'AUTHORIZE']);
export const PricingModel = z.enum(['FIXED', 'SCALED', 'MAU']);
export const Direction = z.enum(['inbound', 'outbound']);
/** The first one is spelled like this. */
export const FlashCallResult = openSet(['NUMBER_VERIFIERD', 'WRONG_CODE'], 'page');
export const CascadeCondition = openSet(['not_delivered', 'not_read'], 'client');
export const VerificationChannel = openSet(['SMS', 'TELEGRAM_GATEWAY'], 'client');
export const CodeStatus = openSet(['CONFIRMED', 'WRONG_CODE', 'EXPIRED', 'NOT_FOUND'], 'page');

/** An object from the service. Fields that the contract doesn't list are kept. */
export const looseObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
	z.object(shape).passthrough();
/** An object whose fields are all listed: any other field is a mistake. */
export const strictObject = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).strict();

export const Int = z.number().int();
/** A value whose type isn't stated. */
export const OpenValue = z.union([z.boolean(), z.number(), z.string().min(1)]);
export const TextOrNull = z.string().nullish();
export const Id = Int.positive();
/** An ID that is only published as a number, so any text is accepted too. */
export const OpenId = z.union([Id, z.string().min(1)]);
/** The same in a path: no text that could change the path, because some servers decode it before they split it. */
export const OpenPathId = z.union([
	Id,
	z.string().regex(/^[\w-]+$/, 'must consist of letters, digits, _ and -'),
]);

/** Date.parse alone would accept February 30. */
export const isCalendarDate = (text: string) => {
	const [year, month, day] = text.slice(0, 10).split('-').map(Number);
	const daysInMonth = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
	return (day ?? 0) <= daysInMonth && !Number.isNaN(Date.parse(text));
};

const timeWithZone =
	/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** ISO 8601 with a zone: UTC `Z`, or an offset such as `+03:00`. */
export const Datetime = z
	.string()
	.regex(timeWithZone, 'must be a date and time with a zone, such as 2026-03-01T10:00:00+03:00')
	.refine(isCalendarDate, "is a date that doesn't exist");

/** Every month has these days. */
const fewestDays = 28;

/**
 * Milliseconds since 1970; `NaN` if the value doesn't fit `Datetime`. Faster than the schema, because a report asks this twice for
 * each of its messages.
 */
export const parseDatetime = (value: unknown): number => {
	if (typeof value !== 'string' || !timeWithZone.test(value)) return NaN;
	const isCertain = Number(value.slice(8, 10)) <= fewestDays;
	return isCertain || isCalendarDate(value) ? Date.parse(value) : NaN;
};

export const destinationDigits = /^\d{5,15}$/;

export const Destination = z
	.string()
	.regex(destinationDigits, 'must be a phone number in digits, starting with the country code');

/** The contract: RFC 3986, `http` or `https`, login and password allowed, an IP address and a port allowed. */
export const CallbackUrl = z
	.string()
	.refine(
		isHttpUrl,
		'must be a URL that starts with http:// or https://, such as https://n8n.example.com/webhook/1',
	);

export const Hours = z.array(Int.min(0).max(23)).min(1, 'needs at least one hour, 0 to 23');
export const Days = z
	.array(Int.min(1).max(7))
	.min(1, 'needs at least one weekday, 1 (Monday) to 7 (Sunday)');

export const Money = looseObject({ value: z.number(), currency: z.string() });

/** A page of one of the partner API's lists. */
export const listPage = <Entry extends z.ZodTypeAny>(entry: Entry) =>
	looseObject({ page: Int, perPage: Int, total: Int, items: z.array(entry) });
