import type { Param } from '../../core/engine/params';

const hourOptions = Array.from({ length: 24 }, (_, hour) => ({
	name: `${String(hour).padStart(2, '0')}:00–${String(hour).padStart(2, '0')}:59`,
	value: hour,
}));

/** Each use adds a description with the time zone that applies. */
export const hoursParam = {
	displayName: 'Hours',
	name: 'hours',
	type: 'multiOptions',
	validateType: 'number',
	options: hourOptions,
	default: [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
} as const satisfies Param;

/** The same. */
export const daysParam = {
	displayName: 'Weekdays',
	name: 'days',
	type: 'multiOptions',
	validateType: 'number',
	options: [
		{ name: 'Monday', value: 1 },
		{ name: 'Tuesday', value: 2 },
		{ name: 'Wednesday', value: 3 },
		{ name: 'Thursday', value: 4 },
		{ name: 'Friday', value: 5 },
		{ name: 'Saturday', value: 6 },
		{ name: 'Sunday', value: 7 },
	],
	default: [1, 2, 3, 4, 5],
} as const satisfies Param;

/** In UTC, in whole seconds, as the service reads it. `round` decides which way, so that nothing is left out. */
export const inUtc = (time: string | undefined, round: (seconds: number) => number) =>
	time && new Date(round(Date.parse(time) / 1_000) * 1_000).toISOString().replace('.000Z', 'Z');
