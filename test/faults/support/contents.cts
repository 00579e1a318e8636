const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const signature = /signature=[0-9a-f]{64}/g;
/** Each wait of Send and Wait has a random one. */
const waitId = /(?<=(?:report|reportAsked|ask)=|"waitId":")[0-9a-f]{8}/g;

/** Each run has a random code in the names of its dispatches. */
const runCode = /(?<=#n8n-\w{8})\w{8}(?=\d+[skt]\d+")/g;

interface Contents {
	events: Array<{ event: { kind: string } }>;
}

/** Closing a name a second time at the same moment changes nothing. */
const withoutRepeats = ({ events, ...rest }: Contents) => {
	const seen = new Set<string>();
	const isNew = (text: string) => !seen.has(text) && Boolean(seen.add(text));
	return {
		...rest,
		events: events.filter((one) => one.event.kind !== 'sender-close' || isNew(JSON.stringify(one))),
	};
};

/** Which request created a message, by its number in the log, depends on how many there were before. */
const withoutRequests = (key: string, value: unknown) =>
	/requestId$/i.test(key) ? undefined : value;

/** What the service holds with made-up values told by their order only: equal texts mean equal contents. */
export const comparable = (contents: string): string => {
	const known = new Map<string, string>();
	return JSON.stringify(withoutRepeats(JSON.parse(contents) as Contents), withoutRequests)
		.replace(signature, 'signature')
		.replace(waitId, 'wait')
		.replace(runCode, 'run')
		.replace(uuid, (id) => {
			const name = known.get(id) ?? `id${known.size + 1}`;
			known.set(id, name);
			return name;
		});
};

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

/** Where two contents differ, in a few words. */
export const difference = (expected: unknown, found: unknown, place = ''): string[] => {
	if (JSON.stringify(expected) === JSON.stringify(found)) return [];
	if (!isObject(expected) || !isObject(found)) {
		const short = (value: unknown) => String(JSON.stringify(value)).slice(0, 120);
		return [`${place}: ${short(found)} instead of ${short(expected)}`];
	}
	const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
	return [...names].flatMap((name) =>
		difference(expected[name], found[name], place === '' ? name : `${place}.${name}`),
	);
};
