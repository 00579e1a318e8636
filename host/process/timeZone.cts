/** For n8n, whose own default is New York: it would show other dates than the machine. */
export function machineTimeZone() {
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	// Node has no name for some values of TZ, and n8n needs one.
	return timeZone === undefined || timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}
