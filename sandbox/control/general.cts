import { z } from '../../vendor/zod';
import {
	Brand,
	ChannelType,
	CommonType,
	CompanyStatus,
	Datetime,
	SenderStatus,
} from '../../core/contract/values';
import { badRequest } from '../api/apiError.cts';
import { Dialect } from '../api/dialect.cts';
import { fromUnits, mostRubles, toUnits } from '../stored/money.cts';
import { SeedName } from '../stored/seed.cts';
import { addCompany, addSender } from '../stored/seedParts.cts';
import { Settings } from '../stored/settings.cts';
import { companyView, dispatchView, isoOf, senderView } from '../stored/views.cts';
import { accountLedger } from '../stored/store.cts';
import type { Control, Controls } from './control.cts';

const noInput = z.object({}).strict();
/** Dates in the contract have years of four digits. */
const endOfTime = Date.UTC(9_000, 0);
const Rubles = z.number().nonnegative().max(mostRubles);

const NewSender = z
	.object({
		senderName: z.string().min(1),
		brand: Brand,
		channelType: ChannelType.default('SMS'),
		commonType: CommonType.default('COMMON'),
		status: SenderStatus.default('APPROVED'),
		fee: Rubles.nullable().default(null),
	})
	.strict();
const NewCompany = z
	.object({
		name: z.string().min(1),
		status: CompanyStatus.default('ACTIVE'),
		budget: Rubles.nullable().default(null),
		spent: Rubles.default(0),
		senders: z.array(NewSender).default([]),
	})
	.strict();

export const generalControls = (control: Control, { world, advance, reset }: Controls): void => {
	control({
		method: 'POST',
		path: '/reset',
		does: 'Deletes everything and loads the demo data, or only credentials, prices and a balance: {"data": "empty"}. {"keepSetup": true} keeps settings and inbound rules.',
		input: z.object({ data: SeedName.optional(), keepSetup: z.boolean().default(false) }).strict(),
		handle: ({ data, keepSetup }) => {
			const { settings, inboundRules } = world.store;
			reset(data);
			if (keepSetup) Object.assign(world.store, { settings, inboundRules });
		},
	});

	control({
		method: 'POST',
		path: '/seed',
		does: 'Adds companies with sender names in any status, and returns their IDs.',
		input: z.object({ companies: z.array(NewCompany).min(1) }).strict(),
		handle: ({ companies }) => ({
			companies: companies.map(({ senders, spent, budget, ...company }) => {
				const { id } = addCompany(world, {
					...company,
					budget: budget === null ? null : toUnits(budget),
				});
				world.store.ledger(id, world.timeline.now).spent = toUnits(spent);
				const senderIds = senders.map(
					({ fee, ...sender }) =>
						addSender(world, { ...sender, companyId: id, fee: fee === null ? null : toUnits(fee) })
							.id,
				);
				return { companyId: id, senderIds };
			}),
		}),
	});

	control({
		method: 'GET',
		path: '/clock',
		does: "Shows the sandbox's time, the clock's speed and the number of planned events.",
		input: noInput,
		handle: () => ({
			now: isoOf(world.timeline.now),
			due: world.timeline.size,
			speed: world.pace.speed,
		}),
	});

	control({
		method: 'PUT',
		path: '/clock',
		does: 'Sets how many seconds pass per real second: {"speed": 60}. 0 stops the clock.',
		input: z.object({ speed: z.number().nonnegative().max(100_000) }).strict(),
		handle: ({ speed }) => {
			world.pace.speed = speed;
			return { speed };
		},
	});

	control({
		method: 'POST',
		path: '/clock/advance',
		does: 'Moves the clock by {"ms": n} or to {"to": datetime}. Responds after the callbacks of that time were tried.',
		input: z
			.object({ ms: z.number().int().nonnegative().optional(), to: Datetime.optional() })
			.strict(),
		handle: async ({ ms, to }) => {
			if ((ms === undefined) === (to === undefined)) throw badRequest('give either ms or to');
			const span = ms ?? Date.parse(to ?? '') - world.timeline.now;
			if (span < 0) throw badRequest('to: is in the past, and the clock only moves forward');
			if (world.timeline.now + span > endOfTime) throw badRequest('that is too far in the future');
			await advance(span);
			return { now: isoOf(world.timeline.now) };
		},
	});

	control({
		method: 'GET',
		path: '/settings',
		does: 'Shows the settings: delays, shares, outcomes of numbers, limits.',
		input: noInput,
		handle: () => world.store.settings,
	});

	control({
		method: 'PUT',
		path: '/settings',
		does: 'Changes the given settings. `outcomes`, `testNumbers` and `dialect` (the response variants) are replaced as a whole.',
		input: Settings.partial().strict(),
		handle: (changes) => Object.assign(world.store.settings, changes),
	});

	control({
		method: 'PUT',
		path: '/variants',
		does: 'Changes the given settings of the response variants and keeps the others.',
		input: Dialect.partial().strict(),
		handle: (changes) => Object.assign(world.store.settings.dialect, changes),
	});

	control({
		method: 'GET',
		path: '/state',
		does: 'Shows companies with their money, sender names and dispatches, and counts everything else.',
		input: noInput,
		handle: () => {
			const { store, timeline } = world;
			const moneyOf = (payer: number) => {
				const { month, spent, reserved } = store.ledger(payer, timeline.now);
				return { month, spent: fromUnits(spent), reserved: fromUnits(reserved) };
			};
			return {
				now: isoOf(timeline.now),
				companies: [...store.companies.values()].map((company) => ({
					...companyView(company),
					...moneyOf(company.id),
					blacklist: [...(store.blacklists.get(company.id)?.keys() ?? [])],
				})),
				senders: [...store.senders.values()].map((sender) => senderView(store, sender)),
				dispatches: [...store.dispatches.values()].map((dispatch) => ({
					companyId: dispatch.companyId,
					...dispatchView(dispatch),
				})),
				account: { funds: fromUnits(store.funds), ...moneyOf(accountLedger) },
				singleMessages: store.singles.length,
				documents: store.documents.size,
				tokens: store.tokens.size,
				events: timeline.size,
			};
		},
	});

	control({
		method: 'GET',
		path: '/requests',
		does: 'Counts the requests to each endpoint and lists the last 1,000.',
		input: noInput,
		handle: () => ({ counts: world.requests.counts, last: world.requests.last }),
	});

	control({
		method: 'GET',
		path: '/usage',
		does: 'Shows what the process uses: processor time in milliseconds, memory in kilobytes.',
		input: noInput,
		handle: () => {
			const { user, system } = process.cpuUsage();
			const { heapUsed, rss } = process.memoryUsage();
			return {
				cpuMs: (user + system) / 1_000,
				heapKb: Math.round(heapUsed / 1_024),
				rssKb: Math.round(rss / 1_024),
			};
		},
	});

	control({
		method: 'DELETE',
		path: '/requests',
		does: 'Clears the request log and its counts.',
		input: noInput,
		handle: () => world.requests.clear(),
	});
};
