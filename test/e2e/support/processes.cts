import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Whether anything of a process group is left. */
export function isGroupRunning(group: number) {
	try {
		process.kill(-group, 0);
		return true;
	} catch {
		return false;
	}
}

/** The process that has started this one. */
export function parentOf(id: number) {
	// Behind the name of the program, which may hold anything: state, parent.
	const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
	return Number(fields[1]);
}

/** Ends when nothing of it is left; a test that waits for something that stays runs into its time limit. */
export async function groupsGone(groups: number[]) {
	while (groups.some(isGroupRunning)) await pause(50);
}

/** Every process that works in a folder or below it, even when the folder is gone. */
export function processesIn(folder: string): number[] {
	return readdirSync('/proc')
		.filter((name) => {
			try {
				return readlinkSync(`/proc/${name}/cwd`).startsWith(folder);
			} catch {
				// No process, or one that has ended meanwhile.
				return false;
			}
		})
		.map(Number);
}

/** How long the processes that work in a folder have been on a processor, in milliseconds, as Linux counts it (proc(5)). */
export function processorTime(folder: string): number {
	const ticks = processesIn(folder).map((id) => {
		try {
			// Behind the name of the program: state is the third field, user and system time are the 14th and the 15th.
			const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
			return Number(fields[11]) + Number(fields[12]);
		} catch {
			// It has ended meanwhile.
			return 0;
		}
	});
	return ticks.reduce((sum, time) => sum + time, 0) * 10;
}

/** The most memory the processes of a group have held, in bytes: the sum of the peaks of those that still run. */
export function peakMemory(group: number): number {
	const peaks = readdirSync('/proc').map((name) => {
		try {
			// Behind the name of the program, which may hold anything: state, parent, group.
			const [, , processGroup] =
				readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
			if (Number(processGroup) !== group) return 0;
			const [, kilobytes] =
				/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? [];
			return Number(kilobytes ?? 0) * 1024;
		} catch {
			// No process, or one that has ended meanwhile.
			return 0;
		}
	});
	const sum = peaks.reduce((total, peak) => total + peak, 0);
	if (sum === 0) throw new Error(`Nothing is known of the process group ${group}.`);
	return sum;
}
