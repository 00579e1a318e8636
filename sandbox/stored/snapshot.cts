import { deserialize, serialize } from 'node:v8';
import { Store } from './store.cts';
import type { World } from './world.cts';

/** Part of every snapshot. It changes when older snapshots can no longer be restored. */
const format = 'bulk-messaging sandbox 2';

/** The contents of a snapshot. An object that occurs twice is one object again after reading. */
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
		// Another kind of file, or an incomplete one.
	}
	if (contents?.format !== format) throw new Error('it is not a snapshot of this sandbox');
	// With this format, the sandbox itself wrote the contents.
	return contents as Contents;
};

/** The requests of before aren't saved. New ones must not get the numbers that messages name as theirs. */
const skipRequestIds = ({ store, requests }: World): void => {
	for (const { requestId = 0 } of store.byUuid.values()) {
		requests.lastId = Math.max(requests.lastId, requestId);
	}
	for (const { startRequestId = 0 } of store.dispatches.values()) {
		requests.lastId = Math.max(requests.lastId, startRequestId);
	}
};

/** Restores everything. The clock doesn't go back: events that became due meanwhile happen at the next step. */
export const readSnapshot = (world: World, bytes: Uint8Array): void => {
	const { store: saved, now, events, callbacks, batches } = read(bytes);
	const store = new Store();
	// A field or a setting that is newer than the snapshot keeps its default.
	const { settings } = store;
	const dialect = { ...settings.dialect, ...saved.settings?.dialect };
	Object.assign(store, saved, { settings: { ...settings, ...saved.settings, dialect } });
	store.indexAll();
	world.store = store;
	skipRequestIds(world);
	world.timeline.clear(Math.max(world.timeline.now, now));
	for (const { at, event } of events) world.timeline.plan(at, event);
	world.outbox.load(callbacks, batches);
	// An attempt that was running when the snapshot was written has no planned event, so it is made again.
	const planned = new Set(
		events.flatMap(({ event }) => (event.kind === 'callback-attempt' ? [event.id] : [])),
	);
	for (const { id, state } of callbacks) {
		if (state === 'pending' && !planned.has(id)) {
			world.timeline.plan(world.timeline.now, { kind: 'callback-attempt', id });
		}
	}
};
