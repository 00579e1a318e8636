import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { messageLimits, messaging } from '../../../../core/contract/messaging';
import { inBatches } from '../../../../core/transport/batches';
import { carryOutAll, eachItem, type UnitOutcome } from '../../../../core/engine/carryOutAll';
import { defineOperation, type Run } from '../../../../core/engine/operation';
import { codeIn, matchReply } from './delivery/reply';
import { findMessages } from './delivery/search';
import { ServiceError } from '../../../../core/transport/outcome';
import { send } from '../../../../core/transport/send';
import { z } from '../../../../vendor/zod';

const Stopped = z.object({
	messageUuid: z.string(),
	stopped: z.boolean(),
	result: z.enum(['stopped', 'perhapsStopped', 'alreadySending']),
});

const stoppedResult = { stopped: true, result: 'stopped' };
/** The provider describes 200 for a stopped message, and shows 201 in its example. */
const results: Readonly<Record<number, IDataObject>> = {
	200: stoppedResult,
	201: stoppedResult,
	202: { stopped: false, result: 'perhapsStopped' },
	403: { stopped: false, result: 'alreadySending' },
};
const tooLate = 403;
const unknownUuid = 404;

/** The service's code for one message, or why there is none. */
type StopAnswer = { code?: number } | { error: unknown };
type Answers = Map<string, StopAnswer>;

const notSeenStopped = (error: unknown) => {
	const known =
		"The service says it's too late to stop this message. The node couldn't check whether an earlier attempt stopped it.";
	return error instanceof ServiceError ? error.after(known) : error;
};

/** If it is too late to stop a message, an earlier attempt whose response was lost may have stopped it. */
const lookAgain = async (context: IExecuteFunctions, answers: Answers): Promise<void> => {
	const late = [...answers].flatMap(([uuid, answer]) =>
		'code' in answer && answer.code === tooLate ? [uuid] : [],
	);
	try {
		for (const [uuid, [message]] of await findMessages(context, late, 'messageUuid')) {
			// With the code of a failure, even an unknown one, it became unsent for another reason.
			if (message?.status === 'unsent' && !message.errorCode) answers.set(uuid, { code: 200 });
		}
	} catch (error) {
		for (const uuid of late) answers.set(uuid, { error: notSeenStopped(error) });
	}
};

/** A UUID is the same in capitals, but the service may know it in small letters only. */
const stopInSmallLetters = async (run: Run<unknown>, answers: Answers): Promise<void> => {
	const small = new Map(
		[...answers].flatMap(([uuid, answer]) =>
			'code' in answer && answer.code === unknownUuid && uuid !== uuid.toLowerCase()
				? [[uuid.toLowerCase(), uuid]]
				: [],
		),
	);
	if (small.size === 0) return;
	for (const [uuid, answer] of await stopAll(run, [...small.keys()])) {
		answers.set(small.get(uuid) ?? uuid, answer);
	}
};

const stopAll = async (run: Run<unknown>, uuids: string[]): Promise<Answers> => {
	const { context } = run;
	try {
		const reply = await send(context, messaging.messageStop, { body: { uuids } });
		const entries = matchReply(uuids, reply, 'messageUuid');
		const answers: Answers = new Map(
			uuids.map((uuid, place) => [uuid, { code: codeIn(entries[place] ?? {}) }]),
		);
		await lookAgain(context, answers);
		await stopInSmallLetters(run, answers);
		return answers;
	} catch (error) {
		return new Map(uuids.map((uuid) => [uuid, { error }]));
	}
};

/** The error for a message that the service doesn't confirm as stopped. */
const notStopped = (context: IExecuteFunctions, messageUuid: string, code: number | undefined) => {
	const message =
		code === unknownUuid
			? `There is no message with the UUID ${messageUuid}`
			: `The service didn't confirm that ${messageUuid} was stopped${code === undefined ? '' : ` (code ${code})`}`;
	return new NodeOperationError(context.getNode(), message, {
		description: "Check the UUID with 'Get'. Messages of other items may already be stopped.",
	});
};

/** A request that failed is about all of its messages, so it stops the run. */
const isRequestFailure = (answer: StopAnswer): answer is { error: unknown } => 'error' in answer;

const toOutcome = (
	context: IExecuteFunctions,
	messageUuid: string,
	answer: StopAnswer,
): UnitOutcome => {
	if (isRequestFailure(answer)) return { is: 'failed', error: answer.error };
	const result = results[answer.code ?? 0];
	return result === undefined
		? { is: 'rejected', error: notStopped(context, messageUuid, answer.code) }
		: { is: 'done', rows: [{ json: { messageUuid, ...result } }] };
};

export const stop = defineOperation({
	value: 'stop',
	name: 'Stop',
	action: 'Stop message',
	description:
		"Stop messages that are not sent yet, up to 10,000 in one request. Their status becomes unsent a few seconds later. Stopping a cascade's first message stops the cascade. Messages already being sent are flagged in the result; unknown IDs fail.",
	output: Stopped,
	restsOn: messaging.messageStop,
	effect: 'repeatable',
	params: [
		{
			displayName: 'Message UUID',
			name: 'messageUuid',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.messageUuid }}',
			description: 'The ID the service assigned to the message',
		},
	],
	execute: async (run) =>
		await carryOutAll(run, {
			units: eachItem(run),
			prepare: (itemIndex) => run.values(itemIndex).messageUuid.trim(),
			needsAll: false,
			carryOut: async (units) => {
				const answers: Answers = new Map();
				const uuids = new Set(units.map(({ task }) => task));
				for (const some of inBatches([...uuids], messageLimits.perStop)) {
					for (const [uuid, answer] of await stopAll(run, some)) answers.set(uuid, answer);
					if (!run.context.continueOnFail() && [...answers.values()].some(isRequestFailure)) break;
				}
				return new Map(
					units.flatMap((unit) => {
						const answer = answers.get(unit.task);
						return answer === undefined
							? []
							: [[unit, toOutcome(run.context, unit.task, answer)] as const];
					}),
				);
			},
			words: { one: 'stop request accepted', many: 'stop requests accepted' },
		}),
});
