import { z } from '../../vendor/zod';
import type { Endpoint, ReplyOf } from '../contract/endpoint';
import { isRecord } from '../json';
import { secretsOf, type Caller } from './connection';
import { ServiceError } from './outcome';
import { toShowable } from './redact';
import { describeShape } from './replyShape';

/** The response doesn't contain what was asked for. This is an error, because treating it as empty could send twice. */
export const unreadable = (
	caller: Caller,
	endpoint: Endpoint,
	reply: unknown,
	problem: 'noList' | 'unreadable',
): ServiceError => {
	const found = toShowable(describeShape(reply), secretsOf(caller));
	return new ServiceError({ status: 200, reply: problem, found }, 'refused', endpoint);
};

/** Whether the response has at least one field of the contract, and its lists where the contract has them. */
const isRecognizable = ({ reply: schema }: Endpoint, reply: unknown): boolean => {
	const { error } = schema.safeParse(reply);
	if (error === undefined) return true;
	const isOfOtherKind = error.issues.some(
		(issue) =>
			issue.path.length === 0 ||
			(issue.path.length === 1 && issue.code === 'invalid_type' && issue.expected === 'array'),
	);
	if (isOfOtherKind || !isRecord(reply)) return false;
	const wrong = new Set(error.issues.map(({ path }) => path[0]));
	const known = schema instanceof z.ZodObject ? Object.keys(schema.shape as object) : undefined;
	// If the contract allows any field name, such as currency codes, the operation checks the fields itself.
	if (known === undefined) return Object.keys(reply).length > 0;
	return Object.keys(reply).some((name) => !wrong.has(name) && known.includes(name));
};

/**
 * For operations that only read: returns the response, or throws if it is something else entirely. Single fields may differ from
 * the contract, but a response that can't be recognized must not look like an empty result.
 */
export const requireReadable = async <E extends Endpoint>(
	caller: Caller,
	endpoint: E,
	reply: ReplyOf<E>,
): Promise<ReplyOf<E>> => {
	if (isRecognizable(endpoint, reply)) return reply;
	throw unreadable(caller, endpoint, reply, 'unreadable');
};
