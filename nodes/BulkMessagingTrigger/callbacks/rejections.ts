/** A reason is logged at most once in this time per trigger, so that a caller who keeps calling can't fill the log. */
const quietMs = 60_000;

/** The reasons logged recently by all triggers of this process, oldest first. */
export class RejectionLog {
	/** When a reason was logged last, and how many rejections for it came since. */
	private readonly reasons = new Map<string, { at: number; suppressed: number }>();

	constructor(private readonly most = 1_000) {}

	/** How many weren't logged since the last entry for this reason; `undefined` if this one isn't to be logged either. */
	add(trigger: string, reason: string, now: number): number | undefined {
		const key = `${trigger} ${reason}`;
		const last = this.reasons.get(key);
		// If the clock was set back, a new minute starts.
		if (last !== undefined && now >= last.at && now - last.at < quietMs) {
			last.suppressed++;
			return undefined;
		}
		this.reasons.delete(key);
		this.reasons.set(key, { at: now, suppressed: 0 });
		const [oldest] = this.reasons.keys();
		if (this.reasons.size > this.most && oldest !== undefined) this.reasons.delete(oldest);
		return last?.suppressed ?? 0;
	}
}
