/** Tells the user what happens now. */
export interface Report {
	(text: string): void;
	/** Runs work that has its own line beside other work. Only a board has this. */
	part?<T>(name: string, work: (report: Report) => Promise<T>): Promise<T>;
}

/** Runs a part of the work. On a board it gets its own line; elsewhere every text begins with its name. */
export async function part<T>(report: Report, name: string, work: (report: Report) => Promise<T>) {
	if (report.part) return await report.part(name, work);
	report(name);
	return await work((text) => report(`${name}: ${text}`));
}

/** npm and compilers print nothing for minutes. This reports again and again how far they are. */
export async function whileReporting<T>(
	report: Report,
	text: (seconds: number) => string,
	work: () => Promise<T>,
): Promise<T> {
	const begun = Date.now();
	// A board replaces the last text, so it may change often. A log gets a new line each time.
	const everyMs = report.part ? 2000 : 15_000;
	const timer = setInterval(() => report(text(Math.round((Date.now() - begun) / 1000))), everyMs);
	try {
		return await work();
	} finally {
		clearInterval(timer);
	}
}
