const hour = 3_600_000;
const minute = 60_000;

/** The time zone for values without a zone (hours of single messages, local times): UTC+3. */
export const localOffset = 180 * minute;

/** When sending is allowed. `hours` and `days` are read at `offset` milliseconds east of UTC. */
export interface SendingWindow {
	notBefore?: number;
	hours?: readonly number[];
	/** 1 (Monday) to 7 (Sunday). */
	days?: readonly number[];
	offset: number;
}

/** The offset a datetime was written with, in milliseconds: `+03:00` gives three hours, `Z` none. */
export const offsetOf = (datetime: string): number => {
	const match = /([+-])(\d{2}):?(\d{2})$/.exec(datetime);
	if (match === null) return 0;
	const size = Number(match[2]) * hour + Number(match[3]) * minute;
	return match[1] === '-' ? -size : size;
};

/** `2026-03-01 10:00:00` in the recipient's time zone, which is always UTC+3 here. */
export const parseLocalTime = (text: string): number =>
	Date.parse(`${text.replace(' ', 'T')}Z`) - localOffset;

const isOpen = ({ hours, days, offset }: SendingWindow, time: number): boolean => {
	const local = new Date(time + offset);
	const weekday = local.getUTCDay() === 0 ? 7 : local.getUTCDay();
	return (
		(hours === undefined || hours.includes(local.getUTCHours())) &&
		(days === undefined || days.includes(weekday))
	);
};

/** The first time, from `time` on, at which the window is open. */
export const nextAllowed = (window: SendingWindow, time: number): number => {
	let moment = Math.max(time, window.notBefore ?? time);
	// A week contains every pair of weekday and hour, so the search ends within 169 steps.
	for (let step = 0; step <= 24 * 7 && !isOpen(window, moment); step++) {
		moment = Math.floor((moment + window.offset) / hour) * hour + hour - window.offset;
	}
	return moment;
};
