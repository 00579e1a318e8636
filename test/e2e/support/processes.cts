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

/** Ends when nothing of it is left; a test that waits for something that stays runs into its time limit. */
export async function groupsGone(groups: number[]) {
	while (groups.some(isGroupRunning)) await pause(50);
}
