import { z } from '../vendor/zod';
import type { Ledger } from './budget.cts';
import { Store } from './store.cts';
import type { World } from './world.cts';

const version = 1;

const packLedger = ({ counts, recipients, ...rest }: Ledger) => ({
	...rest,
	counts: [...counts],
	recipients: [...recipients].map(([key, numbers]) => [key, [...numbers]] as const),
});

const pack = ({ store, timeline, outbox }: World) => ({
	version,
	now: timeline.now,
	settings: store.settings,
	login: store.login,
	password: store.password,
	lastIds: store.lastIds,
	companies: [...store.companies],
	documents: [...store.documents],
	senders: [...store.senders],
	dispatches: [...store.dispatches],
	singles: store.singles,
	blacklists: [...store.blacklists].map(([id, numbers]) => [id, [...numbers]] as const),
	ledgers: [...store.ledgers].map(([payer, ledger]) => [payer, packLedger(ledger)] as const),
	funds: store.funds,
	tariffs: store.tariffs,
	senderFees: store.senderFees,
	tokens: [...store.tokens],
	keys: [...store.keys],
	inboundRules: store.inboundRules,
	verifications: [...store.verifications],
	events: timeline.entries(),
	callbacks: [...outbox.entries.values()],
	batches: [...outbox.batches],
});
type Packed = ReturnType<typeof pack>;

const list = z.array(z.unknown());
/** Enough to tell a snapshot from any other file; the sandbox itself wrote what is inside. */
const Shape = z
	.object({
		version: z.literal(version),
		now: z.number(),
		settings: z.object({}).passthrough(),
		lastIds: z.object({}).passthrough(),
		companies: list,
		documents: list,
		senders: list,
		dispatches: list,
		singles: list,
		ledgers: list,
		events: list,
		callbacks: list,
		batches: list,
	})
	.passthrough();

export const writeSnapshot = (world: World): string => JSON.stringify(pack(world));

/** Puts everything back. Time that passed meanwhile has passed: what was due in it happens at the next step. */
export const readSnapshot = (world: World, text: string): void => {
	const checked = Shape.safeParse(JSON.parse(text));
	if (!checked.success) throw new Error('it is not a snapshot of this sandbox');
	const packed = checked.data as unknown as Packed;
	const store = new Store();
	const { settings, login, password, lastIds, singles, funds, tariffs, senderFees, inboundRules } =
		packed;
	Object.assign(store, {
		login,
		password,
		lastIds,
		singles,
		funds,
		tariffs,
		senderFees,
		inboundRules,
	});
	// A setting that is newer than the snapshot keeps its default.
	const dialect = { ...store.settings.dialect, ...settings.dialect };
	Object.assign(store.settings, settings, { dialect });
	store.companies = new Map(packed.companies);
	store.documents = new Map(packed.documents);
	store.senders = new Map(packed.senders);
	store.dispatches = new Map(packed.dispatches);
	store.tokens = new Map(packed.tokens);
	store.keys = new Map(packed.keys);
	store.verifications = new Map(packed.verifications);
	store.blacklists = new Map(packed.blacklists.map(([id, numbers]) => [id, new Map(numbers)]));
	store.ledgers = new Map(
		packed.ledgers.map(([payer, { counts, recipients, ...rest }]) => [
			payer,
			{
				...rest,
				counts: new Map(counts),
				recipients: new Map(recipients.map(([key, numbers]) => [key, new Set(numbers)])),
			},
		]),
	);
	for (const { messages } of store.dispatches.values()) {
		for (const message of messages) store.index(message);
	}
	for (const message of singles) store.index(message);
	world.store = store;
	world.timeline.clear(Math.max(world.timeline.now, packed.now));
	for (const { at, event } of packed.events) world.timeline.plan(at, event);
	world.outbox.load(packed.callbacks, packed.batches);
	// An attempt that was under way when the snapshot was written has no event: it is made again.
	const planned = new Set(
		packed.events.flatMap(({ event }) => (event.kind === 'callback-attempt' ? [event.id] : [])),
	);
	for (const { id, state } of packed.callbacks) {
		if (state === 'pending' && !planned.has(id)) {
			world.timeline.plan(world.timeline.now, { kind: 'callback-attempt', id });
		}
	}
};
