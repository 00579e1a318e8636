import { isRecord } from '../json';
import type { SourceName } from './provenance';
import { smsSenderNameLength } from './sender';

type Message = Readonly<Record<string, unknown>>;

/** A limit that the provider's interface doesn't state. A value beyond it is sent, and the user gets a hint. */
interface UsualLimit {
	/** The field of a message. */
	readonly field: string;
	/** The channels that it applies to; all if missing. */
	readonly channels?: readonly string[];
	/** Completes the sentence "'Tags' is usually …". */
	readonly usually: string;
	/** The same where the user enters a text and the node makes the content from it. */
	readonly usuallyText?: string;
	readonly source: SourceName;
	readonly fits: (value: unknown, message: Message, now: number) => boolean;
}

const isWithin =
	(least: number, most: number) =>
	(value: unknown): boolean =>
		typeof value === 'number' && value >= least && value <= most;

const hasLength =
	(least: number, most: number) =>
	(value: unknown): boolean =>
		// An emoji is one character, but counting so takes long, and only matters for a long text.
		typeof value === 'string' &&
		isWithin(least, most)(value.length > most ? [...value].length : value.length);

const areUnique = (values: unknown): boolean =>
	Array.isArray(values) && new Set(values).size === values.length;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A local time has no zone, so it is compared as if it were UTC. `NaN` if it can't be read. */
const momentOf = (time: unknown): number => Date.parse(`${String(time).replace(' ', 'T')}Z`);

const voiceCodeStart = 'Код авторизации от ';
/** The sentence that a call with a code speaks. The service recognizes it by these words. */
export const voiceCodeText = (brand: string, code: string): string =>
	`${voiceCodeStart}${brand}: ${code}`;
/** The digits may be joined, spaced or separated by a sign. */
const isVoiceCode = (text: string): boolean => {
	const end = text.lastIndexOf(': ');
	return (
		text.startsWith(voiceCodeStart) &&
		end > voiceCodeStart.length &&
		/^\d(?:[^\p{L}]*\d)?$/u.test(text.slice(end + 2))
	);
};

/** Channels whose content is a plain string. */
export const plainTextChannels: ReadonlySet<string> = new Set(['SMS', 'FLASHCALL', 'VK']);

export const isUsualSmsName = hasLength(3, smsSenderNameLength);

/** One row for each limit. The hints and the table in docs/interface.md are made from them. */
export const usualLimits: readonly UsualLimit[] = [
	{
		field: 'content',
		channels: ['SMS'],
		usually: 'plain text',
		source: 'page',
		fits: hasLength(1, Infinity),
	},
	{
		field: 'content',
		channels: ['VK'],
		usually: 'plain text of 1 to 2,048 characters',
		usuallyText: '1 to 2,048 characters long',
		source: 'page',
		fits: hasLength(1, 2_048),
	},
	{
		field: 'content',
		channels: ['FLASHCALL'],
		usually: 'a code of four digits as plain text',
		usuallyText: 'four digits',
		source: 'page',
		fits: (content) => typeof content === 'string' && /^\d{4}$/.test(content),
	},
	{
		field: 'content',
		channels: ['VOICECODE'],
		usually: `an object with a text of 1 to 1,000 characters such as "${voiceCodeText('{brand}', '{code}')}"`,
		usuallyText: "only digits, with 'Brand' filled in,",
		source: 'page',
		fits: (content) =>
			isRecord(content) && hasLength(1, 1_000)(content.text) && isVoiceCode(String(content.text)),
	},
	{
		field: 'content',
		channels: ['WHATSAPP'],
		usually: 'an object',
		source: 'page',
		fits: isRecord,
	},
	{
		field: 'content',
		channels: ['TELEGRAM'],
		usually: 'an object',
		source: 'client',
		fits: isRecord,
	},
	{
		field: 'content',
		channels: ['VIBER', 'TEXT_TO_SPEECH', 'WEASY', 'PUSH'],
		usually: 'an object',
		source: 'guess',
		fits: isRecord,
	},
	{
		field: 'senderName',
		channels: ['SMS'],
		usually: '3 to 11 characters long',
		source: 'page',
		fits: isUsualSmsName,
	},
	{
		field: 'senderName',
		channels: ['VOICECODE'],
		usually: 'voicecode',
		source: 'page',
		fits: (name) => name === 'voicecode',
	},
	{
		field: 'tags',
		usually: 'made of Latin letters, digits and _',
		source: 'page',
		fits: (tags) => Array.isArray(tags) && tags.every((tag) => /^\w+$/.test(String(tag))),
	},
	{
		field: 'ttl',
		usually: '60 to 86,400, or 30 to 86,400 for Voice Code',
		source: 'page',
		fits: (ttl, { channelType }) => isWithin(channelType === 'VOICECODE' ? 30 : 60, 86_400)(ttl),
	},
	{
		field: 'localSendTime',
		usually: 'between 12 hours ago and 7 days from now, in UTC',
		source: 'page',
		fits: (time, _, now) => isWithin(now - 12 * hourMs, now + 7 * dayMs)(momentOf(time)),
	},
	{
		field: 'localCompletionTime',
		usually: "between 'Send At' and 70 days from now, in UTC",
		source: 'page',
		fits: (time, { localSendTime }, now) => {
			const earliest = localSendTime === undefined ? now - 12 * hourMs : momentOf(localSendTime);
			return isWithin(earliest, now + 70 * dayMs)(momentOf(time));
		},
	},
	...['hours', 'days'].map(
		(field): UsualLimit => ({
			field,
			usually: 'a list without duplicates',
			source: 'page',
			fits: areUnique,
		}),
	),
	...['useLocalTime', 'shortUrl'].map(
		(field): UsualLimit => ({
			field,
			usually: 'true or false',
			source: 'page',
			fits: (value) => typeof value === 'boolean',
		}),
	),
	...['useLocalTime', 'localSendTime', 'localCompletionTime', 'hours', 'days', 'shortUrl'].map(
		(field): UsualLimit => ({
			field,
			channels: ['FLASHCALL', 'VOICECODE'],
			usually: 'left out',
			source: 'page',
			fits: () => false,
		}),
	),
];
