import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { BulkMessagingTrigger } from '../../nodes/BulkMessagingTrigger/BulkMessagingTrigger.node';

/** Facts about the service that a user learns from the panels, each where it is needed. */

const inside = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.flatMap((option) => {
		if ('values' in option) return option.values.flatMap((one) => [one, ...inside(one)]);
		return 'type' in option ? [option, ...inside(option)] : [];
	});
const fieldsOf = (properties: readonly INodeProperties[], resource: string, operation: string) =>
	properties
		.filter(({ displayOptions: { show } = {} }) => {
			const { resource: resources = [], operation: operations = [] } = show ?? {};
			return resources.includes(resource) && operations.includes(operation);
		})
		.flatMap((one) => [one, ...inside(one)]);
const { properties } = new BulkMessaging().description;
const field = (resource: string, operation: string, name: string) =>
	fieldsOf(properties, resource, operation).find((one) => one.name === name);
const described = (resource: string, operation: string, name: string) =>
	field(resource, operation, name)?.description ?? '';

test.each<[string, string, string, RegExp]>([
	['message', 'getAll', 'time_from', /sent, or became unsent.*still wait aren't listed/],
	['message', 'getAll', 'time_to', /sent, or became unsent.*still wait aren't listed/],
	['message', 'getAll', 'root', /outside cascades and the cascades' first messages \(on\)/],
	['message', 'getAll', 'sort', /doesn't publish the possible values/],
	['message', 'send', 'useLocalTime', /instead of Moscow time/],
	['message', 'send', 'ttl', /60 to 86,400\. Without this option: 90,000/],
	['message', 'send', 'localSendTime', /at most 7 days ahead/],
	['message', 'send', 'localCompletionTime', /at most 70 days ahead/],
	['message', 'send', 'templateId', /doesn't choose a template/],
	['message', 'send', 'senderName', /For Voice Code: voicecode\./],
	['message', 'send', 'senderName', /To test SMS: sms_promo/],
	['message', 'sendCascade', 'senderName', /For Voice Code: voicecode\./],
	['message', 'send', 'brand', /Код авторизации от \{brand\}: \{code\}/],
	['verification', 'sendCode', 'gatewayId', /a short text of letters and digits/],
])('%s.%s: %s', (resource, operation, name, words) => {
	expect(described(resource, operation, name)).toMatch(words);
});

test('no invented values of Sort, and no number as a Module ID', () => {
	expect(field('message', 'getAll', 'sort')?.placeholder).toBeUndefined();
	expect(field('verification', 'sendCode', 'gatewayId')?.placeholder).toMatch(/[a-z]\d[A-Z]/);
});

test.each(['send', 'sendAndWait', 'sendCascade'])(
	"%s: WhatsApp's 24 hours, where WhatsApp is chosen",
	(operation) => {
		const notice = field('message', operation, 'whatsAppNotice');
		expect(notice?.type).toBe('notice');
		expect(notice?.displayName).toMatch(/provider must enable WhatsApp first/);
		expect(notice?.displayName).toMatch(/24 hours.*must match a registered template/);
		expect(notice?.displayOptions?.show?.channelType).toEqual(['WHATSAPP']);
	},
);

test('Stop: it takes a moment, and the first message of a cascade stops all of it', () => {
	const operations = properties.find(
		({ name, displayOptions }) =>
			name === 'operation' && displayOptions?.show?.resource?.includes('message'),
	)?.options as Array<{ value: string; description: string }>;
	const { description } = operations.find(({ value }) => value === 'stop')!;
	expect(description).toContain('Their status becomes unsent a few seconds later.');
	expect(description).toContain("Stopping a cascade's first message stops the cascade.");
});

test("Trigger: where the callbacks' IP address is published", () => {
	const own = new BulkMessagingTrigger().description.properties;
	const texts = own
		.flatMap((one) => [one, ...inside(one)])
		.map(({ description = '' }) => description);
	const shown = "The provider's documentation of callbacks shows its fixed IP address.";
	expect(texts.filter((text) => text.includes(shown))).toHaveLength(1);
});

test('rateTerm: no more is said than what is stated', () => {
	const own = new BulkMessagingPartner().description.properties;
	const texts = fieldsOf(own, 'dispatch', 'send').map(({ description = '' }) => description);
	const about = texts.filter((text) => text.includes('rateTerm'));
	expect(about).toHaveLength(1);
	expect(about[0]).toContain('the highest sending speed depends on this value');
});

test("a cascade's steps: a label that fits both positions of its switch", () => {
	const root = fieldsOf(properties, 'message', 'getAll').find(({ name }) => name === 'root');
	expect(root?.displayName).toBe('First or Only Step');
	expect(root?.description).toContain('or only later steps (off)');
});

test.each(['Template', 'Traffic Center'])('the glossary explains %s', (term) => {
	const glossary = readFileSync(join(__dirname, '../../docs/glossary.md'), 'utf8');
	expect(glossary).toMatch(new RegExp(`^\\| ${term} +\\| \\w`, 'm'));
});
