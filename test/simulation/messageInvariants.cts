import { sentencesOf, type Sentence } from './claims.cts';
import type { MessagePlan } from './messageHistory.cts';
import type { SingleMessage } from './records.cts';
import type { PlayedRun, Problem } from './plans.cts';
import type { Stage } from './stage.cts';

/**
 * How a message came to be sent twice with the same custom message ID. A request sends at once, so nothing can prevent it if the
 * first message can't be seen yet by another process. These are counted, but aren't problems.
 */
const unavoidable = 'unavoidable: twice';

const kindOfRepeat = (
	{ service }: Stage,
	runs: readonly PlayedRun[],
	first: SingleMessage,
	second: SingleMessage,
): string => {
	const [one, other] = [first, second].map(({ by }) => runs.find(({ plan }) => plan.name === by));
	if (one === undefined || other === undefined || one === other) return 'twice in one run';
	const isVisible = first.at + service.world.lagMs.lookUp <= other.beganAt;
	if (isVisible) return 'twice: the first one could be seen';
	if (one.plan.process !== other.plan.process) return unavoidable;
	const isAtOnce =
		other.beganAt < (one.endedAt ?? Infinity) && one.beganAt < (other.endedAt ?? Infinity);
	if (isAtOnce) return 'twice: at once in one process';
	// The process knows what the service has accepted, even if a search doesn't find it yet.
	return first.at <= (one.endedAt ?? 0) ? 'twice: right after, in one process' : unavoidable;
};

const checkTwice = (stage: Stage, plans: readonly MessagePlan[], runs: readonly PlayedRun[]) => {
	const problems: Problem[] = [];
	const known = new Map<string, SingleMessage>();
	const givenIds = new Set(plans.flatMap(({ wanted }) => wanted.map(({ id }) => id)));
	for (const message of stage.service.singles) {
		const { ownId = '', destination, text, by } = message;
		const key = givenIds.has(ownId) ? `${ownId} ${destination}` : `${by} ${destination} ${text}`;
		const first = known.get(key);
		if (first === undefined) known.set(key, message);
		else problems.push({ kind: kindOfRepeat(stage, runs, first, message), text: key });
	}
	return problems;
};

const isTrue = ({ service }: Stage, plan: MessagePlan, { claim, count = 1 }: Sentence): boolean => {
	const own = service.received.filter(({ by }) => by === plan.name);
	const people = new Set(own.map(({ destination }) => destination)).size;
	if (claim === 'nothingSent') return people === 0;
	if (claim === 'someNotSent') return people + count <= plan.wanted.length;
	if (claim === 'someAccepted') {
		const isThere = ({ number, id }: MessagePlan['wanted'][number]) =>
			service.singles.some(
				({ destination, ownId, by }) =>
					destination === number && (id === '' ? by === plan.name : ownId === id),
			);
		return plan.wanted.filter(isThere).length >= count;
	}
	return true;
};

const checkRows = ({ service }: Stage, { plan, outcomes }: PlayedRun): Problem[] =>
	outcomes
		.flatMap(({ items = [] }) => items)
		.flatMap(({ json }) => {
			if (json.outcome !== 'accepted') return [];
			const { destination, externalMessageId, messageUuid, alreadySent } = json;
			const about = `${plan.name}: ${String(destination)}`;
			const mine = service.singles.filter(
				(one) => one.destination === destination && one.ownId === externalMessageId,
			);
			if (mine.length === 0) return [{ kind: 'lost in silence', text: about }];
			const problems: Problem[] = [];
			if (typeof messageUuid === 'string' && !mine.some(({ uuid }) => uuid === messageUuid)) {
				problems.push({ kind: 'untrue row', text: `${about}: messageUuid` });
			}
			if (alreadySent === true && mine.every(({ by }) => by === plan.name)) {
				problems.push({ kind: 'untrue row', text: `${about}: it was not sent before` });
			}
			return problems;
		});

/** What must be true about single messages at the end of a history, when every late request has arrived. */
export const checkMessages = (
	stage: Stage,
	plans: readonly MessagePlan[],
	runs: readonly PlayedRun[],
): Problem[] => {
	const problems = checkTwice(stage, plans, runs);
	for (const run of runs.filter(({ endedAt }) => endedAt !== undefined)) {
		problems.push(...checkRows(stage, run));
		for (const outcome of run.outcomes) {
			for (const sentence of sentencesOf(outcome)) {
				const { claim, text, isAboutTry } = sentence;
				if (claim === undefined) problems.push({ kind: 'unknown text', text });
				const isSkipped = isAboutTry && outcome.tries > 1;
				if (isSkipped || isTrue(stage, run.plan as MessagePlan, sentence)) continue;
				problems.push({ kind: `untrue: ${claim ?? ''}`, text: `${run.plan.name}: ${text}` });
			}
		}
	}
	return problems;
};
