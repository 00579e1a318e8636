import { readFileSync } from 'node:fs';
import path from 'node:path';
import { emptyCredentials } from '../host/service/credentials.cts';
import { readSamples, startNode, withSandboxLinks } from '../host/demo/samples.cts';
import type { WorkflowNode } from '../host/n8n/workflow.cts';
import { neededN8n, oldestN8n, unusedLines } from './support/nodesOfN8n.cts';

/** Checks the sample workflows as files; test/e2e/samples.test.cts runs them. */

const samples = readSamples();
const folder = path.join(__dirname, '..', 'workflows');
const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');

/** The number by which n8n stores the color of a note. */
const yellow = 1;

/** The names of workflows begin with one of these, after the number. */
const verbs = [
	'Add',
	'Approve',
	'Ask',
	'Collect',
	'Hand',
	'Raise',
	'Register',
	'Save',
	'Send',
	'Sign',
	'Sync',
	'Unsubscribe',
	'Watch',
];

/** The names that n8n suggests for new credentials, so n8n chooses them on import if they exist. */
const placeholderNames: Record<string, string> = {
	bulkMessagingApi: 'Bulk Messaging account',
	bulkMessagingCallbackApi: 'Bulk Messaging Callback account',
	bulkMessagingPartnerApi: 'Bulk Messaging Partner account',
	crypto: 'Crypto account',
	openAiApi: 'OpenAI account',
};

const isNote = ({ type }: WorkflowNode) => type.endsWith('.stickyNote');

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

const boxOf = (node: WorkflowNode, width: number, height: number): Box => {
	const [left, top] = node.position;
	return { name: node.name, left, top, right: left + width, bottom: top + height };
};
const noteBox = (node: WorkflowNode) =>
	boxOf(node, Number(node.parameters.width), Number(node.parameters.height));
/** As n8n draws a node, with its name below. A node with sub-nodes is wider. */
const nodeBox = (node: WorkflowNode) =>
	boxOf(node, /\.agent$|HitlTool$/.test(node.type) ? 256 : 96, 136);

const overlap = (a: Box, b: Box) =>
	a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const contains = (a: Box, b: Box) =>
	a.left <= b.left && b.right <= a.right && a.top <= b.top && b.bottom <= a.bottom;

/** What a window of 1440 x 900 leaves for the workflow: without n8n's header, its log bar and its closed sidebar. */
const canvas = { width: 1398, height: 798 };

/** The zoom at which n8n shows all of these boxes: with a padding of 20 %, and nothing is enlarged. */
function zoomFor(boxes: Box[]) {
	const width =
		Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
	const height =
		Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
	return Math.min(canvas.width / (1.2 * width), canvas.height / (1.2 * height), 1);
}

/** Font sizes in n8n's notes at 100 %, in pixels. */
const fontSizes = { heading: 24, text: 14 };
/** In pixels on the screen. */
const smallestReadable = { heading: 9, text: 12 };

const pairsOf = <T,>(list: readonly T[]): Array<[T, T]> =>
	list.flatMap((one, index) => list.slice(index + 1).map((other): [T, T] => [one, other]));
const names = (pairs: Array<[Box, Box]>) => pairs.map(([a, b]) => `${a.name} and ${b.name}`);

test('they are numbered without a gap, and ids and webhooks are theirs alone', () => {
	const numbers = samples.map((_, index) => String(index + 1).padStart(2, '0'));
	expect(samples.map(({ file }) => file.slice(0, 2))).toEqual(numbers);
	expect(samples.map(({ workflow }) => workflow.name.slice(0, 2))).toEqual(numbers);
	const ids = samples.map(({ workflow }) => workflow.id);
	const webhooks = samples.flatMap(({ workflow }) =>
		workflow.nodes.flatMap(({ webhookId }) => webhookId ?? []),
	);
	expect(new Set(ids).size).toBe(ids.length);
	expect(new Set(webhooks).size).toBe(webhooks.length);
	// n8n doesn't accept longer ones.
	expect(ids.filter((id) => id.length > 21)).toEqual([]);
});

test('in a demo, their notes link to its sandbox, whatever its port', () => {
	const linked = samples.map(({ workflow }) =>
		withSandboxLinks(workflow, 'http://127.0.0.1:9999/'),
	);
	const notesOf = (all: typeof linked) =>
		all.flatMap(({ nodes }) => nodes.filter(isNote).map(({ parameters }) => parameters.content));
	const before = notesOf(samples.map(({ workflow }) => workflow)).join();
	const after = notesOf(linked).join();
	expect(before).toContain('http://127.0.0.1:8787/account');
	expect(after).toBe(before.replaceAll('8787', '9999'));
	// Nothing else changes, such as a webhook or a credential.
	expect(JSON.stringify(linked).length).toBe(
		JSON.stringify(samples.map(({ workflow }) => workflow)).length,
	);
});

test('the list of the nodes that they use has no line too many', () => {
	expect(unusedLines(samples.flatMap(({ workflow }) => workflow.nodes))).toEqual([]);
});

describe.each(samples)('$file', ({ file, workflow }) => {
	const { nodes, connections, pinData = {} } = workflow;
	const notes = nodes.filter(isNote).map(noteBox);
	const others = nodes.filter((node) => !isNote(node));
	const boxes = others.map(nodeBox);

	const overviews = nodes.filter((node) => isNote(node) && node.parameters.color === yellow);
	const overview = String(overviews[0]?.parameters.content);

	test('one yellow note says how it works, how to try it and how to set it up; the README lists it', () => {
		expect(overviews).toHaveLength(1);
		expect(overview.match(/^#.*/gm)).toEqual(['## How it works', '## Try it', '## Setup']);
		const words = overview.match(/[\p{L}\d][^\s]*/gu)?.length ?? 0;
		expect(words).toBeGreaterThanOrEqual(100);
		expect(words).toBeLessThanOrEqual(300);
		expect(overview).toContain('Community nodes work only on self-hosted n8n.');
		expect(readme).toContain(`(${file})`);
	});

	test('where inbound messages arrive, it unsubscribes people who write STOP, or says that it does not', () => {
		const receives = JSON.stringify(workflow.nodes).includes('"inbound_sent"');
		expect(!receives || JSON.stringify(workflow.nodes).includes('STOP')).toBe(true);
	});

	test('body text in its notes is text, not a heading', () => {
		const others = nodes.filter((node) => isNote(node) && !overviews.includes(node));
		const headings = others.map(({ parameters }) => String(parameters.content).match(/^#+ /gm));
		expect(headings).toEqual(headings.map(() => ['## ']));
		const longest = nodes
			.filter(isNote)
			.flatMap(({ parameters }) => String(parameters.content).match(/^#.*/gm) ?? [])
			.filter((heading) => heading.length > 60);
		expect(longest).toEqual([]);
	});

	test('its name begins with a verb', () => {
		expect(verbs).toContain(workflow.name.split(' ')[1]);
	});

	test('its overview is at the top left, above all nodes', () => {
		const [note] = overviews.map(noteBox);
		expect(note?.left).toBe(Math.min(...[...notes, ...boxes].map(({ left }) => left)));
		expect(note?.bottom).toBeLessThan(
			Math.min(
				...[...notes, ...boxes].filter((box) => box.name !== note?.name).map(({ top }) => top),
			),
		);
	});

	test('the README and the overview say which n8n it needs', () => {
		const enabled = nodes.filter(({ disabled }) => !disabled);
		const needed = neededN8n(enabled);
		const row = readme.split('\n').find((line) => line.includes(`(${file})`));
		expect(row?.split('|').at(-2)?.trim()).toBe(needed);

		const note = /Needs n8n (\S+) or later\./.exec(overview);
		expect(note?.[1] ?? oldestN8n).toBe(needed);

		const unsaid = nodes
			.filter((node) => node.disabled && neededN8n([...enabled, node]) !== needed)
			.map((node) => `_${node.name}_ needs n8n ${neededN8n([node])} or later`)
			.filter((sentence) => !readme.includes(sentence));
		expect(unsaid).toEqual([]);
	});

	test('nothing in it keeps an older n8n from importing it', () => {
		expect(Object.keys(workflow).sort()).toEqual(
			['connections', 'id', 'name', 'nodes', 'pinData', 'settings'].sort(),
		);
		expect(workflow.settings).toEqual({ executionOrder: 'v1' });
	});

	test('its headings are readable when n8n opens it, and its texts when they fill the window', () => {
		expect(zoomFor([...notes, ...boxes]) * fontSizes.heading).toBeGreaterThan(
			smallestReadable.heading,
		);
		expect(zoomFor(overviews.map(noteBox)) * fontSizes.text).toBeGreaterThan(smallestReadable.text);
	});

	test('uses the credentials that a demo provides, and nodes as they are named after installation', () => {
		const known = emptyCredentials.map(({ id, name, type }) => `${type} ${id} ${name}`);
		const used = others.flatMap(({ credentials = {} }) =>
			Object.entries(credentials).map(([type, { id, name }]) => `${type} ${id} ${name}`),
		);
		expect(used.filter((credential) => !known.includes(credential))).toEqual([]);
		// In the file they are placeholders: an ID belongs to one n8n.
		const stored = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as typeof workflow;
		const placeholders = stored.nodes.flatMap(({ credentials = {} }) =>
			Object.entries(credentials),
		);
		expect(placeholders).toEqual(
			placeholders.map(([type]) => [type, { name: placeholderNames[type] }]),
		);
		const packages = others.map(({ type }) => type.split('.')[0]);
		expect(['n8n-nodes-base', '@n8n/n8n-nodes-langchain', 'n8n-nodes-bulk-messaging']).toEqual(
			expect.arrayContaining([...new Set(packages)]),
		);
	});

	test('lets nobody in without a login', () => {
		const open = others.filter(
			({ type, typeVersion, parameters }) =>
				/\.(webhook|formTrigger|bulkMessagingTrigger)$/.test(type) &&
				!/^basic/.test(String(parameters.authentication)) &&
				// A link for everyone; its key is looked up first.
				parameters.path !== 'opt-out' &&
				// Older forms don't know this login and let everybody in.
				!(parameters.authentication === 'n8nUserAuth' && typeVersion >= 2.6),
		);
		expect(open.map(({ name }) => name)).toEqual([]);
		expect(others.filter(({ parameters }) => parameters.public === true)).toEqual([]);
	});

	test('the button "Execute workflow" runs it: it starts by hand, or from sample data', () => {
		const start = startNode(workflow);
		const isManual = start?.type.endsWith('.manualTrigger') === true;
		expect(isManual || Object.keys(pinData).includes(start?.name ?? '')).toBe(true);
		const choosing = nodes.filter(({ parameters }) =>
			/choose \*from/.test(String(parameters.content)),
		);
		expect(choosing).toEqual([]);
	});

	test("sends nothing to anybody else's server or mailbox", () => {
		const elsewhere = others.filter(
			({ name, type, disabled, parameters }) =>
				/\.(httpRequest|emailSend)$/.test(type) &&
				!disabled &&
				!(name in pinData) &&
				// Of an execution in the same n8n.
				parameters.url !== '={{ $json.resumeUrl }}',
		);
		expect(elsewhere.map(({ name }) => name)).toEqual([]);
	});

	test('a node with a Callback URL has the Callback credential', () => {
		const silent = others.filter(({ parameters, credentials }) => {
			const { callbackUrl } = (parameters.options ?? {}) as { callbackUrl?: string };
			return callbackUrl !== undefined && credentials?.bulkMessagingCallbackApi === undefined;
		});
		expect(silent.map(({ name }) => name)).toEqual([]);
	});

	test('pinned data and connections belong to nodes that exist', () => {
		const known = nodes.map(({ name }) => name);
		const targets = Object.values(connections as Record<string, Record<string, unknown[][]>>)
			.flatMap((kinds) => Object.values(kinds).flat(2))
			.map((target) => (target as { node: string }).node);
		const mentioned = [...Object.keys(pinData), ...Object.keys(connections), ...targets];
		expect(mentioned.filter((name) => !known.includes(name))).toEqual([]);
	});

	test('nodes and notes do not overlap', () => {
		expect(names(pairsOf(boxes).filter(([a, b]) => overlap(a, b)))).toEqual([]);
		expect(names(pairsOf(notes).filter(([a, b]) => overlap(a, b)))).toEqual([]);
		const halfCovered = notes.flatMap((note) =>
			boxes
				.filter((box) => overlap(note, box) && !contains(note, box))
				.map((box): [Box, Box] => [note, box]),
		);
		expect(names(halfCovered)).toEqual([]);
	});

	test('runs from left to right; only loops go back', () => {
		const at = new Map(others.map((node) => [node.name, node]));
		const back = Object.entries(connections as Record<string, { main?: unknown[][] }>).flatMap(
			([from, { main = [] }]) =>
				main.flat().flatMap((target) => {
					const { node: to } = target as { node: string };
					const [left] = at.get(from)?.position ?? [0];
					const next = at.get(to);
					const isLoop = /\.(wait|form|splitInBatches)$/.test(next?.type ?? '');
					return isLoop || left < (next?.position[0] ?? 0) ? [] : [`${from} to ${to}`];
				}),
		);
		expect(back).toEqual([]);
	});
});
