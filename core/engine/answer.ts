import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from '../../vendor/zod';
import type { Endpoint, ReplyOf } from '../contract/endpoint';
import { isRecord } from '../json';
import { connect } from '../transport/connection';
import { toShowable } from '../transport/redact';
import { describeShape } from '../transport/replyShape';
import { UnrecognizedReplyError } from './errors';

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
	context: IExecuteFunctions,
	endpoint: E,
	reply: ReplyOf<E>,
): Promise<ReplyOf<E>> => {
	if (isRecognizable(endpoint, reply)) return reply;
	const secrets = (await connect(context, endpoint.api)).secrets();
	throw new UnrecognizedReplyError(toShowable(describeShape(reply), secrets));
};

/** For operations that change something: whether the response has the known shape and confirms the change. */
export const isConfirmed = <E extends Endpoint>(
	{ reply: schema }: E,
	reply: ReplyOf<E>,
	confirms: (reply: ReplyOf<E>) => boolean = () => true,
): boolean => schema.safeParse(reply).success && confirms(reply);
