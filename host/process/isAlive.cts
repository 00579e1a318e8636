/** Whether there is a process with this id. */
export function isAlive(pid: number) {
	if (!Number.isInteger(pid) || pid <= 0) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// EPERM: the process exists and belongs to another user.
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
