import { randomUUID } from 'crypto';
import { UnfitValueError } from '../../../../../core/engine/errors';
import { isRecord } from '../../../../../core/json';
import { writtenText, type ContentRow } from '../params/content';

/**
 * Stands for the link while the node reads the item: only after that does the node know that the message is sent. It is random, so
 * that nobody can write it into a message.
 */
export const linkMark = `https://${randomUUID()}.invalid/`;
const linkPlaceholder = '{link}';

const replaceDeep = <T>(value: T, from: string, to: string): T => {
	const replaced = (inner: unknown): unknown => {
		if (typeof inner === 'string') return inner.replaceAll(from, to);
		if (Array.isArray(inner)) return inner.map(replaced);
		if (!isRecord(inner)) return inner;
		return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, replaced(one)]));
	};
	// Only texts change, and they stay texts.
	return replaced(value) as T;
};

/** JSON is sent as it is, so only {link} is replaced in it. */
export const markLink = <T>(json: T): T => replaceDeep(json, linkPlaceholder, linkMark);

export const markLinkInRow = (row: ContentRow): ContentRow =>
	row.type === 'json' ? markLink(row) : row;

/** Where a content may have the text that a person reads first. */
const textNames = ['text', 'caption', 'header', 'body', 'title'];

const questionIn = (content: unknown): string | undefined => {
	if (typeof content === 'string') return content.trim() || undefined;
	if (!isRecord(content)) return undefined;
	return textNames.map((name) => questionIn(content[name])).find((text) => text !== undefined);
};

/** Puts the link into a content, at its end if no other place was given. */
export const insertLink = (
	content: string | Record<string, unknown>,
	url: string,
): string | Record<string, unknown> => {
	if (JSON.stringify(content).includes(linkMark)) return replaceDeep(content, linkMark, url);
	const text = writtenText(content);
	if (text === undefined) {
		throw new UnfitValueError('Content', `needs ${linkPlaceholder} where you want the link`);
	}
	const whole = `${text}\n${url}`;
	return isRecord(content) ? { ...content, text: whole } : whole;
};

/** What the person is asked, without the link. */
export const questionWithoutLink = (content: unknown): string | undefined =>
	questionIn(replaceDeep(content, linkMark, ''));
