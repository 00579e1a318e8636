import { deserialize, serialize } from 'node:v8';
import { Store } from './store.cts';
import type { World } from './world.cts';

/** Stands in every snapshot, and changes when an older one cannot be taken up any more. */
const format = 'bulk-messaging sandbox 2';

/** What a snapshot holds. What stands in two places of it is one thing again when it is read. */
const contentsOf = ({ store, timeline, outbox }: World) => ({
	format,
	now: timeline.now,
	store: store as Partial<Store>,
	events: timeline.entries(),
	callbacks: [...outbox.entries.values()],
	batches: [...outbox.batches],
});
type Contents = ReturnType<typeof contentsOf>;

export const writeSnapshot = (world: World): Buffer => serialize(contentsOf(world));

const read = (bytes: Uint8Array): Contents => {
	let contents: Partial<Contents> | undefined;
	try {
		contents = deserialize(bytes) as Partial<Contents> | undefined;
	} catch {
		// Of another kind, or cut off.
	}
	if (contents?.format !== format) throw new Error('it is not a snapshot of this sandbox');
	// The sandbox itself wrote what stands beside its mark.
	return contents as Contents;
};

/** Puts everything back. Time that passed meanwhile has passed: what was due in it happens at the next step. */
export const readSnapshot = (world: World, bytes: Uint8Array): void => {
	const { store: saved, now, events, callbacks, batches } = read(bytes);
	const store = new Store();
	// A field or a setting that is newer than the snapshot keeps its default.
	const { settings } = store;
	const dialect = { ...settings.dialect, ...saved.settings?.dialect };
	Object.assign(store, saved, { settings: { ...settings, ...saved.settings, dialect } });
	store.indexAll();
	world.store = store;
	world.timeline.clear(Math.max(world.timeline.now, now));
	for (const { at, event } of events) world.timeline.plan(at, event);
	world.outbox.load(callbacks, batches);
	// An attempt that was under way when the snapshot was written has no event: it is made again.
	const planned = new Set(
		events.flatMap(({ event }) => (event.kind === 'callback-attempt' ? [event.id] : [])),
	);
	for (const { id, state } of callbacks) {
		if (state === 'pending' && !planned.has(id)) {
			world.timeline.plan(world.timeline.now, { kind: 'callback-attempt', id });
		}
	}
};
