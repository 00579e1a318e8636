import { UserError, type IExecuteFunctions } from 'n8n-workflow';
import { WrittenBody, type WrittenRequestOf } from '../../../../../core/contract/endpoint';
import { toSafeData } from '../../../../../core/json';
import { InvalidRequestError } from '../../../../../core/transport/errors';
import { settled } from '../../../../../core/transport/outcome';
import { send } from '../../../../../core/transport/send';
import { lookForLost, lookForSent } from './look';
import type { SendOutcome, Outcomes, Outgoing, SendEndpoint } from './outgoing';
import { readSendReply } from './reply';
import type { FoundMessage } from './search';

export interface PostOptions {
	endpoint: SendEndpoint;
	/** Texts that no error may show, such as the login in the callback URL. */
	secrets: readonly string[];
}

export const toAccepted = (message: FoundMessage, isEarlier = false): SendOutcome => ({
	is: 'done',
	value: {
		messageUuid: message.messageUuid || undefined,
		message,
		...(isEarlier && { alreadySent: true }),
	},
});

const postOnce = async (
	context: IExecuteFunctions,
	batch: readonly Outgoing[],
	{ endpoint, secrets }: PostOptions,
): Promise<Outcomes> => {
	const sent = await settled<unknown>(
		send(
			context,
			endpoint,
			// Each entry was made for this endpoint and checked against its schema.
			{ body: new WrittenBody(batch.map(({ body }) => body)) } as WrittenRequestOf<SendEndpoint>,
			{ secrets },
		),
	);
	const outcomes: Outcomes = new Map();
	if (sent.is !== 'done') {
		for (const entry of batch) outcomes.set(entry, sent);
		return outcomes;
	}
	const ids = batch.map(({ ownId }) => ownId);
	const unmentioned: Outgoing[] = [];
	for (const [place, report] of readSendReply(ids, sent.value).entries()) {
		const entry = batch[place] as Outgoing;
		if (report.is === 'unmentioned') unmentioned.push(entry);
		else outcomes.set(entry, report);
	}
	if (unmentioned.length === 0) return outcomes;
	// They were accepted. A search may find their UUIDs.
	const found = await lookForSent(context, unmentioned).catch(() => undefined);
	const answer = sent.value === undefined ? null : toSafeData(sent.value);
	for (const entry of unmentioned) {
		const message = found?.get(entry);
		outcomes.set(
			entry,
			message ? toAccepted(message) : { is: 'done', value: { unconfirmed: { answer } } },
		);
	}
	return outcomes;
};

/** Nothing was sent if the credential or a value can't be used. After any other fault, it may have been. */
const outcomeOfFault = (error: unknown): SendOutcome =>
	error instanceof UserError || error instanceof InvalidRequestError
		? { is: 'refused', error }
		: { is: 'unknown', error: error instanceof Error ? error : new Error(String(error)) };

/** Sends one request, and looks for the messages that may have been sent. It never sends a message twice. */
export const post = async (
	context: IExecuteFunctions,
	batch: readonly Outgoing[],
	options: PostOptions,
): Promise<Outcomes> => {
	const outcomes = await postOnce(context, batch, options).catch((error: unknown) => {
		const outcome = outcomeOfFault(error);
		return new Map(batch.map((entry) => [entry, outcome]));
	});
	const lost = batch.filter((entry) => outcomes.get(entry)?.is === 'unknown');
	for (const [entry, message] of await lookForLost(context, lost)) {
		outcomes.set(entry, toAccepted(message));
	}
	return outcomes;
};
