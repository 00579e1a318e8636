/** A version of n8n that is tested, with the version of n8n-workflow that belongs to it. */
interface Tested {
	n8n: string;
	workflow: string;
	/** Whether the README promises that the package works with it. */
	isSupported: boolean;
}

/**
 * The oldest version with everything, the last 1.x, those between which n8n has changed what we use, and two that are older than
 * what we promise. Names can be shortened: 1.123 means 1.123.81.
 */
export const versions: readonly Tested[] = [
	{ n8n: '1.100.1', workflow: '1.97.0', isSupported: false },
	{ n8n: '1.110.1', workflow: '1.107.0', isSupported: false },
	{ n8n: '1.123.81', workflow: '1.120.31', isSupported: true },
	{ n8n: '2.8.4', workflow: '2.8.0', isSupported: true },
	{ n8n: '2.11.4', workflow: '2.11.1', isSupported: true },
	{ n8n: '2.14.2', workflow: '2.14.1', isSupported: true },
	{ n8n: '2.20.12', workflow: '2.20.3', isSupported: true },
	{ n8n: '2.41.1', workflow: '2.41.0', isSupported: true },
];

export const isSupported = (version: string) =>
	versions.some(({ n8n, isSupported: is }) => is && n8n === version);
