import { adviceIn, follow, planOf, type AdvicePlan, type Desk } from './adviceDesk.cts';
import { checkAdvice, type Person } from './adviceInvariants.cts';
import type { DispatchChoices, IfNameExists } from './params.cts';
import type { PlayedRun, Problem } from './plans.cts';
import type { Random } from './random.cts';
import { makeStage, playStage, type Perform, type Stage } from './stage.cts';
import { dispatchName, makeWorld, numberOf } from './world.cts';

const minute = 60_000;
/** How often a person presses at most, and a schedule. */
const mostPresses = { person: 8, schedule: 14 };
/** The faults end after so many presses of all. */
const faultyPresses = 3;

interface Show {
	stage: Stage;
	random: Random;
	perform: Perform;
	presses: number;
	/** Each press is in another process than the one before. */
	changesProcess: boolean;
	isSchedule: boolean;
	/** The next one who is added to a list. */
	newcomer: number;
}

/** One is removed, never the first, or one is added. */
const changeList = (show: Show, desk: Desk): void => {
	const { people } = desk;
	const place = show.random.below(people.length);
	if (place > 0) people.splice(place, 1);
	else people.push(show.newcomer++);
};

const inTurn = [0, 1, 2] as const;

const pickProcess = ({ stage, random, presses, changesProcess }: Show): 0 | 1 | 2 => {
	const { away, clock } = stage;
	const process = changesProcess ? inTurn[presses % 3] : random.pick([0, 1] as const);
	const isAway = away !== undefined && clock.now >= away.from && clock.now < away.until;
	return process === 0 && isAway ? 1 : process;
};

const press = (show: Show, desk: Desk): ReturnType<Perform> => {
	const { stage, random } = show;
	const name = `press ${++show.presses} (${desk.name})`;
	if (show.presses > faultyPresses) {
		Object.assign(stage.service.world, { faultyChanges: 0, faultyReads: 0 });
		if (stage.away && stage.away.from > stage.clock.now) stage.away.from = Infinity;
	}
	const plan = planOf(desk, { name, process: pickProcess(show), tries: random.between(1, 3) });
	delete desk.startId;
	return show.perform(plan);
};

/** Waits until the person or the schedule goes on: at the run's end, or when its process is away. */
const seesEnd = async (
	{ stage, isSchedule }: Show,
	{ ended }: ReturnType<Perform>,
	away: boolean,
) => {
	const { clock } = stage;
	const crash = async () => {
		await clock.sleep((stage.away?.from ?? clock.now) - clock.now);
		if ((stage.away?.from ?? Infinity) > clock.now) await ended;
	};
	await Promise.race([
		ended,
		...(away && (stage.away?.from ?? Infinity) < Infinity ? [crash()] : []),
		...(isSchedule ? [clock.sleep(9.9 * minute)] : []),
	]);
};

const isGreen = ({ endedAt, outcomes, plan }: PlayedRun): boolean =>
	endedAt !== undefined &&
	outcomes.length === plan.calls.length &&
	outcomes.every(({ error }) => error === undefined);

/** Presses again and again, as the texts say, or every ten minutes. */
const act = async (show: Show, person: Person): Promise<void> => {
	const { stage, random, isSchedule } = show;
	const { clock, log } = stage;
	const { desk } = person;
	const most = isSchedule ? mostPresses.schedule : mostPresses.person;
	for (let number = 1; number <= most; number++) {
		if (number > 1 && number < 5 && random.chance(1 / 6)) {
			changeList(show, desk);
			person.hasChanged = true;
		}
		const pressed = press(show, desk);
		const { played } = pressed;
		const begunAt = clock.now;
		person.presses.push({ played, list: [...desk.people] });
		await seesEnd(show, pressed, played.plan.process === 0);
		person.isGreen = isGreen(played);
		const outcome = played.outcomes.at(-1);
		let waitMs: number | undefined = 5 * minute;
		if (person.isGreen) {
			person.greenAt ??= number;
			const isOnce =
				(played.plan as AdvicePlan).startId !== undefined ||
				desk.choices.ifNameExists === 'another';
			const mayRepeat = !isOnce && desk.messages?.hasOwnIds !== false;
			if (!mayRepeat || number > 3 || random.chance(0.75)) break;
			// Two processes that send the same ID at one moment can't know of each other.
			waitMs = desk.messages === undefined ? random.below(random.pick([1, minute])) : minute;
		} else if (outcome?.error !== undefined && !isSchedule) {
			const advice = adviceIn(outcome);
			person.presses.at(-1)!.advice = advice;
			// A condition for running again comes before every reason to do so.
			const chosen =
				advice.find(({ step }) => step === 'leaveOut') ?? advice[random.below(advice.length)];
			if (chosen !== undefined) waitMs = follow(stage, random, desk, chosen);
			log?.(`${desk.name} does: ${chosen?.step ?? 'nothing known'}`);
		}
		if (waitMs === undefined) {
			person.isToldToStop = true;
			break;
		}
		await clock.sleep(isSchedule ? begunAt + 10 * minute - clock.now : waitMs);
	}
};

/** One to three people, or schedules, who all want to send the same. */
export const playAdvice = async (
	random: Random,
	without: ReadonlySet<string>,
	log?: (line: string) => void,
): Promise<{ stage: Stage; problems: Problem[] }> => {
	const isMessages = random.chance(0.3);
	// More than one request: some are accepted while it isn't known of others.
	const isLarge = isMessages && random.chance(0.04);
	const count = isLarge ? 1_001 : random.between(1, 6);
	const world = makeWorld(random, count);
	if (random.chance(0.4)) Object.assign(world, { faultyChanges: 0, faultyReads: 0 });
	if (isLarge) Object.assign(world, { faultyChanges: 0.4, faultyReads: 0, pageSize: 100 });
	const stage = makeStage(random.fork(), world, without, log);
	const isSchedule = random.chance(0.25);
	const isLoop = !isMessages && count > 1 && random.chance(0.25);
	// Somebody on each list can be reached.
	const rejected = isMessages || isLoop ? [] : [...world.blacklist];
	world.blacklist = new Set(rejected.filter((number) => number !== numberOf(0)));
	if (random.chance(0.5)) {
		const from = stage.clock.now + random.below(random.pick([1_000, 10_000, 100_000]));
		// Nothing can be done if a process falls asleep between looking for a message and sending it.
		stage.away = {
			from,
			until: !isMessages && random.chance(1 / 3) ? from + 120 * minute : Infinity,
		};
	}
	if (!isMessages) world.pricedAfterMs = random.pick([0, 0, 0, 3_000, 20_000]);
	const hasLimit = !isSchedule && count > 1 && random.chance(0.25);
	const ifNameExists = random.pick<IfNameExists>(['stop', 'again', 'again', 'again', 'again']);
	const hasOwnIds = random.chance(0.75);
	const choices: DispatchChoices = {
		name: dispatchName,
		ifNameExists,
		batchSize: random.between(1, 3),
		output: random.pick(['recipients', 'summary']),
		priceLimit: hasLimit ? world.price * (count - 1) : 1_000,
		leavesUnstarted: false,
		...(random.chance(0.2) && { waitsAtMost: random.pick([1, 5]) }),
	};
	const persons = isMessages ? 1 : random.pick([1, 1, 2, 3]);
	const people = Array.from({ length: persons }, (_, index): Person => {
		const own = { people: Array.from({ length: count }, (__, one) => one), followed: [] };
		const name = `${isSchedule ? 'schedule' : 'person'} ${index + 1}`;
		const desk = { name, choices: { ...choices }, isLoop, ...own };
		const messages = isMessages ? { messages: { hasOwnIds, sendsAnyway: false } } : {};
		return { desk: { ...desk, ...messages }, presses: [], hasChanged: false };
	});
	const traits = {
		isSchedule,
		isLoop,
		hasLimit,
		stops: ifNameExists === 'stop',
		isSure:
			people.length === 1 &&
			stage.away === undefined &&
			world.faultyChanges + world.faultyReads === 0,
	};
	const spread = random.pick([500, 4_000, 100_000, 400_000]);
	const own = random.fork();
	const { problems } = await playStage(stage, random, (perform) => {
		const changesProcess = own.chance(1 / 3);
		const show = {
			stage,
			random: own,
			perform,
			presses: 0,
			changesProcess,
			isSchedule,
			newcomer: 2_000,
		};
		people.forEach((person, index) => {
			const startsAfterMs = index === 0 ? 0 : own.below(spread);
			stage.clock.at(stage.clock.now + startsAfterMs, () => void act(show, person));
		});
	});
	return { stage, problems: [...problems, ...checkAdvice(stage, people, traits)] };
};
