import type { z } from '../../vendor/zod';
import type { SenderFee } from '../../core/contract/price';
import { newLedger, turnMonth, type Ledger } from './budget.cts';
import type {
	ApiKey,
	AuthorizationTemplate,
	Company,
	CompanyDocument,
	Dispatch,
	InboundRule,
	Message,
	Sender,
	Template,
	Token,
	SentCode,
	Verification,
} from './entities.cts';
import { toUnits, type Units } from './money.cts';
import { defaultSettings, type Settings } from './settings.cts';
import type { Tariff } from './tariffs.cts';

/** The id of the ledger that pays for single messages. Companies' ids start at 101. */
export const accountLedger = 0;

/** Everything the service stores, as plain data that a snapshot can contain. */
export class Store {
	settings: Settings = defaultSettings();
	/** When its data was loaded. */
	seededAt = 0;
	login = '';
	password = '';
	lastIds = { company: 100, sender: 2_000, dispatch: 3_000, callback: 0, link: 0 };
	companies = new Map<number, Company>();
	documents = new Map<string, CompanyDocument>();
	senders = new Map<number, Sender>();
	dispatches = new Map<number, Dispatch>();
	/** Messages of the messaging API, including inbound ones, in the order they arrived. */
	singles: Message[] = [];
	/** Blacklisted numbers with their comments, by company. */
	blacklists = new Map<number, Map<string, string>>();
	ledgers = new Map<number, Ledger>();
	/** The account's balance before reservations. */
	funds: Units = toUnits(0);
	tariffs: Tariff[] = [];
	senderFees: Array<z.infer<typeof SenderFee>> = [];
	tokens = new Map<string, Token>();
	keys = new Map<string, ApiKey>();
	inboundRules: InboundRule[] = [];
	authorizationTemplates: AuthorizationTemplate[] = [];
	verifications = new Map<string, Verification>();
	templates = new Map<number, Template>();
	/** By message. */
	flashCallResults = new Map<string, string>();

	/** Whether new messages wait until a person decides what happens to them, and the UUIDs of those that wait. */
	isHolding = false;
	held = new Set<string>();
	/** People's names, by phone number, as far as dispatches have told them. */
	names = new Map<string, string>();

	/** By the uuid in the response. */
	codes = new Map<string, SentCode>();

	// Indexes of the same messages.
	byUuid = new Map<string, Message>();
	/** By phone number. */
	conversations = new Map<string, Message[]>();
	/** The phone number of each message, in order. Several messages in a row to one number are one entry. */
	arrivals: string[] = [];
	byExternalId = new Map<string, Message[]>();
	byLink = new Map<string, { message: Message }>();

	/** The phone numbers with the newest messages, newest first. It reads only as many entries as it needs. */
	newestNumbers(most: number): string[] {
		const numbers = new Set<string>();
		for (let index = this.arrivals.length - 1; index >= 0 && numbers.size < most; index--) {
			numbers.add(this.arrivals[index]);
		}
		return [...numbers];
	}

	/** The ledger of a company or of the account, for the month of `time`. */
	ledger(payer: number, time: number): Ledger {
		const known = this.ledgers.get(payer);
		if (known !== undefined) return turnMonth(known, time);
		const ledger = newLedger(time);
		this.ledgers.set(payer, ledger);
		return ledger;
	}

	addSingle(message: Message): void {
		this.singles.push(message);
		this.index(message);
	}

	/** Rebuilds all indexes: a state from an older sandbox may lack some. */
	indexAll(): void {
		this.byUuid = new Map();
		this.conversations = new Map();
		this.arrivals = [];
		this.byExternalId = new Map();
		this.byLink = new Map();
		const ofDispatches = [...this.dispatches.values()].flatMap(({ messages }) => messages);
		const all = [...ofDispatches, ...this.singles].sort((a, b) => a.createdAt - b.createdAt);
		for (const message of all) this.index(message);
	}

	index(message: Message): void {
		this.byUuid.set(message.uuid, message);
		const { destination } = message;
		const conversation = this.conversations.get(destination);
		if (conversation === undefined) this.conversations.set(destination, [message]);
		else conversation.push(message);
		if (this.arrivals.at(-1) !== destination) this.arrivals.push(destination);
		const { single } = message;
		if (single === undefined) return;
		for (const { code } of single.links ?? []) this.byLink.set(code, { message });
		if (single.externalMessageId !== undefined) {
			const same = this.byExternalId.get(single.externalMessageId);
			if (same === undefined) this.byExternalId.set(single.externalMessageId, [message]);
			else same.push(message);
		}
	}
}
