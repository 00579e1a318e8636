import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type Row, type AcceptedRecipient } from '../../nodes/dispatches/plan/rows';
import { demo } from '../../sandbox/demo.cts';
import type { Sandbox } from '../../sandbox/sandbox.cts';
import { byId } from '../support/sandbox.cts';

const { flowers } = demo.companies;
const { mts, beeline, megafon, tele2 } = demo.senders;

/** One sender name per operator. */
export const senderIds = [mts, beeline, megafon, tele2];
/** The first dispatch that a test creates. */
export const firstNew = demo.dispatches.reminder + 1;

export const text = 'Dear {name}, code {code}.';
export const textFor = ({ name, code }: IDataObject) =>
	`Dear ${String(name)}, code ${String(code)}.`;

const codes = ['916', '903', '926', '901'];

/** The number of recipient `index`, on one of the four operators. */
export const numberOf = (index: number): string =>
	`7${codes[index % codes.length] ?? ''}${String(2_000_000 + index)}`;

export const itemOf = (index: number): IDataObject => ({
	phone: `+${numberOf(index)}`,
	name: `Name ${index}`,
	code: index,
	secret: 'not for the service',
});

export const itemsUpTo = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => itemOf(index));

export const rowOf = (index: number, phone: unknown = numberOf(index)): Row => ({
	itemIndex: index,
	phone,
	country: 'RU',
	values: itemOf(index),
	own: {},
});

/** What somebody fills in who changes nothing else: every input item is a recipient. */
export const plain: INodeParameters = {
	companyId: byId(flowers),
	name: 'Spring sale',
	text,
	destination: '={{ $json.phone }}',
};

/** For tests that run more than once: what protects people from that has tests of its own. */
export const fromItems: INodeParameters = {
	...plain,
	ifSent: 'anyway',
	channelType: 'SMS',
	senderIds,
	recipients: 'items',
	// What a default run may cost has tests of its own, too.
	priceLimit: 1_000_000,
};

export const block = (sandbox: Sandbox, numbers: readonly string[]) =>
	sandbox.world.store.blacklists.set(
		flowers,
		new Map(numbers.map((number) => [number, '2026-01-01T00:00:00.000Z'])),
	);

export const messagesOf = (sandbox: Sandbox, id: number) =>
	sandbox.world.store.dispatches.get(id)?.messages ?? [];

/** What a dispatch holds of the recipients the service took: texts by number. */
export const takenBy = (sandbox: Sandbox, id: number): Map<string, string[]> => {
	const taken = new Map<string, string[]>();
	for (const { reason, destination, text: sent } of messagesOf(sandbox, id)) {
		if (reason === null) taken.set(destination, [...(taken.get(destination) ?? []), sent]);
	}
	return taken;
};

/** Recipients that are not there, that are there more than once, and that got another text. */
export const compare = (
	sandbox: Sandbox,
	id: number,
	wanted: ReadonlyArray<Pick<AcceptedRecipient, 'recipient' | 'text'>>,
) => {
	const taken = takenBy(sandbox, id);
	let [lost, duplicated, wrong] = [0, 0, 0];
	for (const one of wanted) {
		const texts = taken.get(one.recipient.destination) ?? [];
		taken.delete(one.recipient.destination);
		if (texts.length === 0) lost++;
		else if (texts.length > 1) duplicated++;
		else if (texts[0] !== one.text) wrong++;
	}
	return { lost, duplicated, wrong, strangers: taken.size };
};
export const exact = { lost: 0, duplicated: 0, wrong: 0, strangers: 0 };
