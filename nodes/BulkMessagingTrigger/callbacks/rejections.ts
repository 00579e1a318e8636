/** When a reason was logged last, and how many rejections for it came since. */
interface LoggedReason {
	at: number;
	suppressed: number;
}

/** Per trigger and reason: somebody who keeps calling must not fill the log. */
const quietMs = 60_000;

/**
 * Decides about one rejection. `skipped` is how many were not logged since the last line, and is there only if this one is
 * logged. `next` is what to remember.
 */
export const judgeRejection = (
	last: LoggedReason | undefined,
	now: number,
): { next: LoggedReason; skipped?: number } => {
	// A clock that was set back starts a new minute.
	const isQuiet = last !== undefined && now >= last.at && now - last.at < quietMs;
	return isQuiet
		? { next: { at: last.at, suppressed: last.suppressed + 1 } }
		: { next: { at: now, suppressed: 0 }, skipped: last?.suppressed ?? 0 };
};

/** What was logged lately, for all triggers of this process. Oldest first. */
export class RejectionLog {
	private readonly reasons = new Map<string, LoggedReason>();

	constructor(private readonly most = 1_000) {}

	/** How many were not logged since the last line about this reason; `undefined` if this one is not logged either. */
	add(trigger: string, reason: string, now: number): number | undefined {
		const key = `${trigger} ${reason}`;
		const { next, skipped } = judgeRejection(this.reasons.get(key), now);
		if (skipped !== undefined) this.reasons.delete(key);
		this.reasons.set(key, next);
		const [oldest] = this.reasons.keys();
		if (this.reasons.size > this.most && oldest !== undefined) this.reasons.delete(oldest);
		return skipped;
	}
}
