import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from '../../vendor/zod';
import type { Endpoint, ReplyOf } from '../contract/endpoint';
import { isRecord } from '../json';
import { connect } from '../transport/connection';
import { toShowable } from '../transport/redact';
import { describeShape } from '../transport/replyShape';
import { UnrecognizedReplyError } from './errors';

/** Whether the reply names at least one thing that the contract names, and has its lists where they belong. */
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
	// Names that the contract leaves open, such as currencies, are the operation's to judge.
	if (known === undefined) return Object.keys(reply).length > 0;
	return Object.keys(reply).some((name) => !wrong.has(name) && known.includes(name));
};

/**
 * For what only reads: the reply, unless it is plainly something else. Single fields may differ from the contract, but an
 * answer that cannot be recognized must not look like "nothing there".
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

/** For what changes something: whether the reply has the known shape, and says that it is done. */
export const isConfirmed = <E extends Endpoint>(
	{ reply: schema }: E,
	reply: ReplyOf<E>,
	confirms: (reply: ReplyOf<E>) => boolean = () => true,
): boolean => schema.safeParse(reply).success && confirms(reply);
