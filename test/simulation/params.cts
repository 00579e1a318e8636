// The only file that names the nodes' parameters and their values.
import type { INodeParameters } from 'n8n-workflow';

/** What 'If the Name Exists' means here: `again` is for a run after one that didn't finish. */
const nameExists = { stop: 'stop', again: 'new', another: 'anyway' } as const;
export type IfNameExists = keyof typeof nameExists;

export interface DispatchChoices {
	name: string;
	ifNameExists: IfNameExists;
	batchSize: number;
	output: 'recipients' | 'summary';
	priceLimit: number;
	minimumPeople?: number;
	minimumPercent?: number;
	/** Whether a passed limit is a result and not an error. */
	leavesUnstarted: boolean;
	/** In minutes; `undefined` if it doesn't wait. */
	waitsAtMost?: number;
}

const companyId = 1;
const dispatchText = 'Hello {name}';

export const dispatchSend = (choices: DispatchChoices): INodeParameters => ({
	resource: 'dispatch',
	operation: 'send',
	companyId: { __rl: true, mode: 'id', value: String(companyId) },
	text: dispatchText,
	recipients: 'items',
	destination: '={{ $json.phone }}',
	priceLimit: choices.priceLimit,
	name: choices.name,
	channelType: 'SMS',
	output: choices.output,
	options: {
		priceCurrency: 'RUB',
		ifSent: nameExists[choices.ifNameExists],
		batchSize: choices.batchSize,
		...(choices.minimumPeople !== undefined && { minimumPeople: choices.minimumPeople }),
		...(choices.minimumPercent !== undefined && { minimumAccepted: choices.minimumPercent }),
		...(choices.leavesUnstarted && { whenPassed: 'leave' }),
		...(choices.waitsAtMost !== undefined && { limitMinutes: choices.waitsAtMost }),
	},
	waitUntilDelivered: choices.waitsAtMost !== undefined,
});

export const dispatchStart = (id: number): INodeParameters => ({
	resource: 'dispatch',
	operation: 'start',
	companyId: { __rl: true, mode: 'id', value: String(companyId) },
	id: { __rl: true, mode: 'id', value: String(id) },
});

export const messageSend = (hasOwnIds: boolean, sendsAnyway = false): INodeParameters => ({
	resource: 'message',
	operation: 'send',
	channelType: 'SMS',
	senderName: 'FLOWERS',
	destination: '={{ $json.phone }}',
	contentFormat: 'text',
	text: '={{ $json.text }}',
	externalMessageId: hasOwnIds ? '={{ $json.id }}' : '',
	options: { mostMessages: 10_000, ...(sendsAnyway && { usedBefore: 'sendAnyway' }) },
});

export const companyCreate = (name: string): INodeParameters => ({
	resource: 'company',
	operation: 'create',
	name,
	counteragentType: 'LEGAL',
	counteragentInn: '7707083893',
});
