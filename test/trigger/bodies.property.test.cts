import * as fc from 'fast-check';
import { type EventName, outputEventOf } from '../../core/contract/events';
import { someOf } from '../support/share.cts';
import * as bodies from './bodies.cts';
import { startHost, type Address } from './host.cts';

const templates = [
	...Object.values(bodies.ofMessages),
	...Object.values(bodies.ofDispatches),
] as Array<Record<string, unknown>>;
const callbackNames = ['callback_event', 'event', 'message_uuid', 'messageUuid'];
const idName = (raw: object) => ('callback_event' in raw ? 'message_uuid' : 'messageUuid');

const anything = fc.oneof(
	fc.jsonValue({ maxDepth: 4 }),
	fc.constantFrom<unknown>(...['', null, 0, -1, 1e308, [], {}, { length: 9 }]),
	fc.constantFrom('constructor', '__proto__', '\u0000', '\ud800', '\u202e', 'ё'.repeat(300)),
);

const resembles = (value: unknown) =>
	typeof value === 'object' &&
	value !== null &&
	callbackNames.some((name) => Object.hasOwn(value, name));

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
