import type { Message } from './entities.cts';
import type { SingleInput } from '../api/messaging/calls.cts';
import { isAuthorization } from './templates.cts';
import type { World } from './world.cts';

/*
 * What a public reference says about the content of each channel and about times. It is written down here a second time, apart
 * from the contract, so that a mistake there doesn't confirm itself.
 */

const hour = 3_600_000;
const day = 24 * hour;

/** The sentence of a call with a code. The digits may be joined, spaced or separated by a sign. */
const isVoiceCode = (text: string): boolean => {
	const [start, code, ...others] = text.split(': ');
	const isShort = others.length === 0 && text.length <= 1_000;
	return (
		isShort && /^Код авторизации от \S/.test(start) && /^\d(?:[^\p{L}]*\d)?$/u.test(code ?? '')
	);
};

const isReply = (message: Message, { channelType, senderName }: SingleInput) =>
	message.single?.direction === 'inbound' &&
	message.single.channelType === channelType &&
	message.single.senderName === senderName;

/** Within 24 hours after a reply anything may be sent. Otherwise the text must match a registered template. */
const isAllowedByWhatsApp = ({ store, timeline }: World, input: SingleInput, text: string) => {
	const replies = (store.conversations.get(input.destination) ?? []).filter((one) =>
		isReply(one, input),
	);
	const isOpen = (replies.at(-1)?.createdAt ?? -Infinity) > timeline.now - day;
	const templates = store.settings.whatsAppTemplates.map((one) => ({ text: one }));
	return isOpen || isAuthorization(templates, text);
};

interface ContentRule {
	isPlain: boolean;
	/** What is wrong with the text, or `undefined`. */
	problem: (text: string, input: SingleInput, world: World) => string | undefined;
}

const wrongUnless = (isRight: boolean, problem: string) => (isRight ? undefined : problem);

const anyText = () => undefined;
const rules: Readonly<Record<string, ContentRule>> = {
	SMS: { isPlain: true, problem: anyText },
	VK: {
		isPlain: true,
		problem: (text) => wrongUnless([...text].length <= 2_048, 'content: 1 to 2048 characters'),
	},
	FLASHCALL: {
		isPlain: true,
		problem: (text) => wrongUnless(/^\d{4}$/.test(text), 'content: must be four digits'),
	},
	VOICECODE: {
		isPlain: false,
		problem: (text, { content }) =>
			wrongUnless(isVoiceCode(text), 'content.text: must match the pattern of a voice code') ??
			wrongUnless(
				typeof content !== 'string' && content.contentType === 'text',
				'content.contentType: must be text',
			),
	},
	WHATSAPP: {
		isPlain: false,
		problem: (text, input, world) =>
			wrongUnless(
				isAllowedByWhatsApp(world, input, text),
				'content.text: matches no template, and the last reply is older than 24 hours',
			),
	},
};
/** Nothing is known about the other channels. */
const otherwise: ContentRule = { isPlain: false, problem: anyText };

/** Why the content can't be sent, or `undefined`. In a cascade, it is an object on every channel. */
export const contentProblem = (
	world: World,
	input: SingleInput,
	isStep: boolean,
): string | undefined => {
	const { channelType, content } = input;
	const rule = rules[channelType] ?? otherwise;
	const isPlain = rule.isPlain && !isStep;
	if (isPlain !== (typeof content === 'string')) {
		return `content must be ${isPlain ? 'a plain string' : 'an object'} for ${channelType}`;
	}
	const text = typeof content === 'string' ? content : (content.text ?? '');
	return rule.problem(text, input, world);
};

/** What is wrong with a message's own names, or `undefined`. */
export const labelsProblem = ({
	tags = [],
	externalMessageId = '',
}: SingleInput): string | undefined => {
	if (!tags.every((tag) => /^\w+$/.test(tag))) return 'tags: only letters, digits and _';
	return wrongUnless(
		[...externalMessageId].length <= 100,
		'externalMessageId: up to 100 characters',
	);
};

const momentOf = (localTime: string) => Date.parse(`${localTime.replace(' ', 'T')}Z`);

/** Why a message can't be sent at its times, or `undefined`. */
export const timesProblem = (
	now: number,
	{ channelType, localSendTime, localCompletionTime, ttl, hours, days }: SingleInput,
): string | undefined => {
	const earliest = localSendTime === undefined ? undefined : momentOf(localSendTime);
	if (earliest !== undefined && (earliest < now - 12 * hour || earliest > now + 7 * day)) {
		return 'localSendTime: must be between 12 hours ago and 7 days from now';
	}
	const latest = localCompletionTime === undefined ? undefined : momentOf(localCompletionTime);
	if (latest !== undefined && (latest < (earliest ?? latest) || latest > now + 70 * day)) {
		return 'localCompletionTime: must be between localSendTime and 70 days from now';
	}
	const least = channelType === 'VOICECODE' ? 30 : 60;
	if (ttl !== undefined && (ttl < least || ttl > 86_400)) return `ttl: ${least} to 86400`;
	for (const [name, values] of Object.entries({ hours, days })) {
		if (new Set(values).size !== (values?.length ?? 0)) return `${name}: must be unique`;
	}
	return undefined;
};
