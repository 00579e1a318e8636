// A person who runs a workflow, reads what the screen says, and does that.
import { adviceTable, type Step } from './adviceTable.cts';
import { split } from './claims.cts';
import type { DispatchPlan } from './dispatchHistory.cts';
import type { MessagePlan } from './messageHistory.cts';
import type { Outcome } from './node.cts';
import { dispatchSend, dispatchStart, messageSend, type DispatchChoices } from './params.cts';
import type { Random } from './random.cts';
import type { Stage } from './stage.cts';
import { numberOf } from './world.cts';

/** What a person has before them: the next run, as it will be if they press the button. */
export interface Desk {
	name: string;
	/** Single messages, with or without custom message IDs; otherwise a dispatch. */
	messages?: { hasOwnIds: boolean; sendsAnyway: boolean };
	choices: DispatchChoices;
	people: number[];
	isLoop: boolean;
	/** The next run is a 'Start' of this dispatch. */
	startId?: number;
	/** Everything that the texts have made the person do. */
	followed: Step[];
}

/** A run of an advice history. */
export type AdvicePlan = (DispatchPlan | MessagePlan) & { desk: Desk; startId?: number };

const itemOf = (person: number, hasOwnIds: boolean) => ({
	phone: `+${numberOf(person)}`,
	name: `P${person}`,
	text: `Text ${person}`,
	id: hasOwnIds ? `order-${person}` : '',
});

/** The run that begins if the person presses now. In a loop, half of the list is in each round. */
export const planOf = (
	desk: Desk,
	how: Pick<AdvicePlan, 'name' | 'process' | 'tries'>,
): AdvicePlan => {
	const { choices, people, startId, messages } = desk;
	const common = { ...how, desk, startsAfterMs: 0, continuesOnFail: false };
	if (messages !== undefined) {
		const { hasOwnIds, sendsAnyway } = messages;
		const items = people.map((person) => itemOf(person, hasOwnIds));
		const parameters = messageSend(hasOwnIds, sendsAnyway);
		const wanted = items.map(({ phone, text, id }) => ({ number: phone.slice(1), text, id }));
		return { ...common, node: 'BulkMessaging', parameters, calls: [{ items }], hasOwnIds, wanted };
	}
	const items = people.map((person) => itemOf(person, false));
	const wanted = people.map(numberOf);
	const node = 'BulkMessagingPartner';
	const shared = { ...common, node, choices: { ...choices }, wanted } as const;
	if (startId !== undefined) {
		const parameters = dispatchStart(startId);
		return { ...shared, parameters, calls: [{ items: [{}] }], startId };
	}
	const half = desk.isLoop ? Math.ceil(items.length / 2) : items.length;
	const rounds = [items.slice(0, half), items.slice(half)].filter(({ length }) => length > 0);
	const calls = rounds.map((round) => ({ items: round, parameters: dispatchSend(choices) }));
	return { ...shared, parameters: dispatchSend(choices), calls, isLoop: desk.isLoop };
};

export interface Advice {
	step: Step;
	/** The dispatch that the sentence, or the text around it, is about. */
	id: number;
	/** The time in the sentence, in hours and minutes. */
	hours?: string | undefined;
	minutes?: string | undefined;
}

const idIn = (text: string): number | undefined => {
	const [, id] = /\bdispatch(?:es)? (\d+)/i.exec(text) ?? [];
	return id === undefined ? undefined : Number(id);
};

/** What the text of a failed run tells its reader to do; empty if nothing. */
export const adviceIn = ({ error }: Outcome): Advice[] => {
	const whole = `${error?.message ?? ''}. ${error?.description ?? ''}`;
	return split(whole).flatMap((sentence) => {
		for (const [pattern, ...steps] of adviceTable) {
			const found = pattern.exec(sentence);
			if (found === null) continue;
			const { hours, minutes } = found.groups ?? {};
			const id = idIn(sentence) ?? idIn(whole) ?? 0;
			const known = steps.filter((step) => step !== 'nothing');
			return known.map((step) => ({ step, id, hours, minutes }));
		}
		return [];
	});
};

const minute = 60_000;

/** How long until a time of day. */
const until = (now: number, hours: string, minutes: string): number => {
	const then = new Date(now);
	then.setUTCHours(Number(hours), Number(minutes), 0, 0);
	const ms = then.getTime() - now;
	return ms < 0 ? ms + 24 * 60 * minute : ms;
};

/** Does what the text says. Returns how long the person waits before the next run; `undefined` if there is none. */
export const follow = (
	{ service, clock }: Stage,
	random: Random,
	desk: Desk,
	{ step, id, hours = '', minutes = '' }: Advice,
): number | undefined => {
	const { choices, messages } = desk;
	const soon = minute + random.below(minute);
	desk.followed.push(step);
	switch (step) {
		case 'runLater':
			return 5 * minute;
		case 'runAtTime':
			return until(clock.now, hours, minutes) + random.pick([0, random.below(minute)]);
		case 'start':
			desk.startId = id;
			return soon;
		case 'rename':
			choices.name = `${choices.name} (${desk.name})`;
			return soon;
		case 'raiseLimit':
			choices.priceLimit = 1_000;
			return soon;
		case 'sendToNew':
			choices.ifNameExists = 'again';
			return soon;
		case 'sendAnyway':
			if (messages !== undefined) messages.sendsAnyway = true;
			return soon;
		case 'runIfNotSent': {
			const has = new Set(service.received.map(({ destination }) => destination));
			desk.people = desk.people.filter((person) => !has.has(numberOf(person)));
			return desk.people.length === 0 ? undefined : soon;
		}
		case 'leaveOut':
		case 'done':
			return undefined;
		default:
			return soon;
	}
};
