import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { type EventName, outputEventOf } from '../../core/contract/events';
import { someOf } from '../support/share.cts';
import * as bodies from './bodies.cts';
import { startHost, type Address, type Host } from './host.cts';

const templates = [
	...Object.values(bodies.ofMessages),
	...Object.values(bodies.ofDispatches),
] as Array<Record<string, unknown>>;
const callbackNames = ['callback_event', 'event', 'message_uuid', 'messageUuid'];
const idName = (raw: object) => ('callback_event' in raw ? 'message_uuid' : 'messageUuid');
const optional = ['external_message_id', 'cascade_message_uuid', 'cascade_step', 'error_code'];

interface Element {
	isGenuine: boolean;
	raw: unknown;
}

const anything = fc.oneof(
	fc.jsonValue({ maxDepth: 4 }),
	fc.constantFrom<unknown>('', null, 0, -1, 1e308, [], {}, 'constructor', '__proto__', {
		length: 9,
	}),
);

/** As the contract has it: any texts in its fields, and anything at all in those it may do without or does not know. */
const genuine: fc.Arbitrary<Element> = fc
	.record({
		template: fc.constantFrom(...templates),
		id: fc.uuid(),
		text: fc.oneof(
			fc.string({ minLength: 1 }),
			fc.constantFrom('\u0000', '\ud800', '\u202e', 'ё'.repeat(300)),
		),
		extras: fc.dictionary(fc.oneof(fc.constantFrom(...optional), fc.string()), anything, {
			maxKeys: 4,
		}),
	})
	.map(({ template, id, text, extras }) => {
		const time = Object.keys(template).find((name) => /_time$|At$/.test(name)) ?? '';
		const allowed = Object.entries(extras).filter(
			([name]) => optional.includes(name) || (!(name in template) && !callbackNames.includes(name)),
		);
		const raw = {
			...template,
			...Object.fromEntries(allowed),
			[idName(template)]: id,
			[time]: text,
		};
		return { isGenuine: true, raw };
	});

/** Something near it: a field lost, replaced, or renamed. */
const mutated: fc.Arbitrary<Element> = fc
	.record({
		element: genuine,
		at: fc.nat(),
		change: fc.constantFrom('drop', 'replace', 'rename'),
		value: anything,
	})
	.map(({ element, at, change, value }) => {
		const entries = Object.entries(element.raw as object);
		const [name, old] = entries[at % entries.length];
		const rest = entries.filter(([other]) => other !== name);
		if (change === 'replace') rest.push([name, value]);
		if (change === 'rename') rest.push([`${name}2`, old]);
		return { isGenuine: false, raw: Object.fromEntries(rest) };
	});

const junk: fc.Arbitrary<Element> = anything.map((raw) => ({ isGenuine: false, raw }));
const element = fc.oneof(
	{ weight: 3, arbitrary: genuine },
	{ weight: 3, arbitrary: mutated },
	{ weight: 2, arbitrary: junk },
);
interface Body {
	text: string;
	elements: Element[];
}
/** An array is not one element but its members. */
const alone = (one: Element): Body => ({
	text: JSON.stringify(one.raw),
	elements: Array.isArray(one.raw)
		? one.raw.map((raw: unknown) => ({ isGenuine: false, raw }))
		: [one],
});
const body: fc.Arbitrary<Body> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc
			.array(element, { maxLength: 6 })
			.map((elements) => ({ text: JSON.stringify(elements.map(({ raw }) => raw)), elements })),
	},
	{ weight: 3, arbitrary: element.map(alone) },
	// Torn off, or with anything in the middle: n8n refuses it, or it has become something else.
	{
		weight: 1,
		arbitrary: fc.tuple(element, fc.nat(), fc.string()).map(([{ raw }, at, noise]) => {
			const whole = JSON.stringify([raw]);
			const end = at % whole.length;
			return { text: whole.slice(0, end) + noise, elements: [] };
		}),
	},
);

const resembles = (value: unknown) =>
	typeof value === 'object' &&
	value !== null &&
	callbackNames.some((name) => Object.hasOwn(value, name));

/** An item that carries this element: recognised by its message and event, or whole as raw. */
const carries = (item: IDataObject, raw: unknown) => {
	if (item.event === 'unknown') return isDeepStrictEqual(item.raw, raw);
	if (typeof raw !== 'object' || raw === null) return false;
	const fields = raw as Record<string, unknown>;
	const id = fields[idName(fields)];
	return (
		// Some objects can't be written as a text.
		(typeof id === 'string' || typeof id === 'number') &&
		item.messageUuid === String(id) &&
		item.event === outputEventOf((fields.callback_event ?? fields.event) as EventName)
	);
};

/** What was sent and how it was answered, held against all items that left the trigger. */
const check = ({ text, elements }: Body, status: number, items: IDataObject[]) => {
	const received = elements.map(({ raw, isGenuine }) => ({
		isGenuine,
		// As it came over the wire: -0 and the like are gone.
		raw: JSON.parse(JSON.stringify(raw)) as unknown,
	}));
	const isGenuine = received.some((one) => one.isGenuine);
	if (isGenuine) expect({ text, status }).toEqual({ text, status: 200 });
	if (status !== 200) {
		expect([400, 422]).toContain(status);
		if (status === 400) expect(received.filter(({ raw }) => resembles(raw))).toEqual([]);
		return;
	}
	for (const one of received) {
		const found = items.filter((item) => carries(item, one.raw)).map(({ event }) => event);
		expect({ text, raw: one.raw, isFound: found.length > 0 }).toEqual({
			text,
			raw: one.raw,
			isFound: true,
		});
		// Two bodies may hold the same nonsense. Genuine ones have an ID of their own, and leave once, as events.
		if (one.isGenuine)
			expect({ text, found }).toEqual({ text, found: [expect.not.stringMatching('unknown')] });
	}
};

const bodiesPerRun = 40;
const runs = someOf(250);

test(`${(bodiesPerRun * runs).toLocaleString('en')} random and mutated bodies: no crash, no hang, no 200 for what was dropped`, async () => {
	const statuses: Record<number, number> = {};
	const send = async (host: Host, { text }: Body): Promise<number> => {
		for (;;) {
			const { status } = await host.post('confirmed', text, {
				signal: AbortSignal.timeout(60_000),
			});
			statuses[status] = (statuses[status] ?? 0) + 1;
			// The same nonsense in two bodies at a time.
			if (status !== 503) return status;
		}
	};
	await fc.assert(
		fc.asyncProperty(
			fc.array(body, { minLength: bodiesPerRun, maxLength: bodiesPerRun }),
			async (several) => {
				const host = await startHost();
				const answers = await Promise.all(several.map(async (one) => await send(host, one)));
				for (const [index, one] of several.entries()) check(one, answers[index], host.items);
				expect(host.problems).toEqual([]);
				await host.close();
			},
		),
		// In a smaller example, two events would have the same ID.
		{ numRuns: runs, endOnFailure: true },
	);
	process.stdout.write(`answers by status: ${JSON.stringify(statuses)}\n`);
	expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '400', '422']));
	expect(({} as Record<string, unknown>).length).toBeUndefined();
}, 600_000);

/** Known by how they are made, so that the trigger's own judgement is not asked. */
interface Made {
	kind: 'wanted' | 'filtered' | 'garbage';
	raw: unknown;
}
const wantedEvents = ['sent', 'click', 'price'];
const eventOf = (raw: Record<string, unknown>) => String(raw.callback_event ?? raw.event);

/** An event and an ID; everything else may be lost or replaced. The custom ID tells the filter what to do. */
const understood: fc.Arbitrary<Made> = fc
	.record({
		template: fc.constantFrom(...templates),
		id: fc.constantFrom('m', 1),
		isOwn: fc.boolean(),
		changes: fc.array(fc.tuple(fc.nat(), fc.option(anything, { nil: undefined })), {
			maxLength: 3,
		}),
	})
	.map(({ template, id, isOwn, changes }) => {
		const raw: Record<string, unknown> = { ...template };
		const names = Object.keys(template).filter((name) => !callbackNames.includes(name));
		for (const [at, value] of changes) raw[names[at % names.length]] = value;
		raw[idName(template)] = id;
		raw.external_message_id = isOwn ? 'own' : 'of another';
		const kind = isOwn && wantedEvents.includes(eventOf(raw)) ? 'wanted' : 'filtered';
		return { kind, raw };
	});

/** No event: without a name or with another one, without an ID or with one that is none, or nothing of the kind at all. */
const garbage: fc.Arbitrary<Made> = fc
	.oneof(
		anything.filter((value) => !resembles(value)),
		understood.chain(({ raw }) =>
			fc.constantFrom<unknown>(
				{ ...(raw as object), callback_event: 'typing', event: 'typing' },
				{ ...(raw as object), message_uuid: undefined, messageUuid: undefined },
				{ ...(raw as object), message_uuid: '', messageUuid: [] },
				[raw],
				{ items: [raw] },
			),
		),
	)
	.map((raw) => ({ kind: 'garbage', raw }));

/** Two events that differ never share an ID, so that it is plain which item is whose. */
const withOwnId = (one: Made, index: number): Made => {
	if (one.kind === 'garbage') return one;
	const raw = one.raw as Record<string, unknown>;
	const name = idName(raw);
	return { ...one, raw: { ...raw, [name]: typeof raw[name] === 'number' ? index : `m${index}` } };
};

interface Calls {
	address: Address;
	/** What was seen before, and a call that mixes it with what is new, in any order and any number of times. */
	calls: Made[][];
}
const calls: fc.Arbitrary<Calls> = fc
	.record({
		address: fc.constantFrom<Address>('fast', 'confirmed'),
		before: fc.array(fc.oneof(understood, garbage), { maxLength: 4 }),
		after: fc.array(fc.oneof(understood, garbage), { maxLength: 4 }),
		// With it neither call is rejected as no callback at all.
		anchor: understood,
		picks: fc.array(fc.nat(), { minLength: 1, maxLength: 10 }),
	})
	.map(({ address, before, after, anchor, picks }) => {
		const all = [anchor, ...before, ...after].map(withOwnId);
		const mixed = picks.map((pick) => all[pick % all.length]);
		return { address, calls: [all.slice(0, before.length + 1), [all[0], ...mixed]] };
	});

const wireOf = ({ raw }: Made) => JSON.stringify(raw);
const tally = (texts: string[]) => {
	const counts: Record<string, number> = {};
	for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
	return counts;
};
/** Each as often as the call that has it most often: the others are duplicates of that one. */
const expectedOf = (
	{ calls: several }: Calls,
	kind: Made['kind'],
	nameOf: (one: Made) => string,
) => {
	const counts: Record<string, number> = {};
	for (const call of several) {
		const ofCall = tally(call.filter((one) => one.kind === kind).map(nameOf));
		for (const [name, count] of Object.entries(ofCall))
			counts[name] = Math.max(counts[name] ?? 0, count);
	}
	return counts;
};
const eventName = ({ raw }: Made) => {
	const fields = raw as Record<string, unknown>;
	return `${outputEventOf(eventOf(fields) as EventName)} ${String(fields[idName(fields)])}`;
};

const casesPerRun = 40;
const mixedRuns = someOf(25);

test(`${(casesPerRun * mixedRuns).toLocaleString('en')} mixtures of wanted, filtered, seen and garbage: garbage and wanted leave exactly once, nothing else does`, async () => {
	const parameters = { events: wantedEvents, filters: { externalMessageId: 'own' } };
	await fc.assert(
		fc.asyncProperty(
			fc.array(calls, { minLength: casesPerRun, maxLength: casesPerRun }),
			async (several) => {
				const run = async (one: Calls) => {
					const host = await startHost({ parameters });
					for (const call of [...one.calls, ...one.calls]) {
						const body = `[${call.map(wireOf).join()}]`;
						expect(await host.deliver(one.address, body)).toBe(200);
					}
					const left = { garbage: [] as string[], wanted: [] as string[] };
					for (const { event, raw, messageUuid } of host.items)
						if (event === 'unknown') left.garbage.push(JSON.stringify(raw));
						else left.wanted.push(`${String(event)} ${String(messageUuid)}`);
					expect({ ...one, garbage: tally(left.garbage), wanted: tally(left.wanted) }).toEqual({
						...one,
						garbage: expectedOf(one, 'garbage', wireOf),
						wanted: expectedOf(one, 'wanted', eventName),
					});
					expect(host.problems).toEqual([]);
					await host.close();
				};
				await Promise.all(several.map(run));
			},
		),
		// The failure shows the one mixture of forty that it is about: looking for a smaller one takes very long.
		{ numRuns: mixedRuns, endOnFailure: true },
	);
}, 600_000);
