/** When a reason was logged last, and how many rejections for it came since. */
interface LoggedReason {
	at: number;
	suppressed: number;
}

/** Per trigger and reason, so that a caller who keeps calling can't fill the log. */
const quietMs = 60_000;

/**
 * Decides whether to log a rejection. `skipped` is set only if it is to be logged: how many weren't logged since the last entry.
 * `next` is what to remember.
 */
export const judgeRejection = (
	last: LoggedReason | undefined,
	now: number,
): { next: LoggedReason; skipped?: number } => {
	// If the clock was set back, a new minute starts.
	const isQuiet = last !== undefined && now >= last.at && now - last.at < quietMs;
	return isQuiet
		? { next: { at: last.at, suppressed: last.suppressed + 1 } }
		: { next: { at: now, suppressed: 0 }, skipped: last?.suppressed ?? 0 };
};

/** The reasons logged recently by all triggers of this process, oldest first. */
export class RejectionLog {
	private readonly reasons = new Map<string, LoggedReason>();

	constructor(private readonly most = 1_000) {}

	/** How many weren't logged since the last entry for this reason; `undefined` if this one isn't to be logged either. */
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
