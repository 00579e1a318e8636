import { partnerResources } from '../../nodes/BulkMessagingPartner/resources';
import type { IDataObject } from 'n8n-workflow';
import { useSandbox } from '../support/sandbox.cts';
import { withField } from '../nodes/plain.cts';
import { describeRefusals, type Refusal } from '../nodes/refusing.cts';
import { plainRow } from './table/plain.cts';

const bench = useSandbox();

const schedule = 'options.schedule.when';
const recipient = 'messages.recipient.0';
const shortOf = (field: string) => `'${field}' is required`;
const ofSms = "'Sender Name' has 12 characters, but a sender name for SMS can have at most 11";
const noUrl = "'Callback URL' must be a URL that starts with http:// or https://, such as https://";
const noBudget = "'Monthly Budget' must not be below 0. For no limit, leave it out";
const nothingToDo = "'Update Fields' is empty. Add at least one field to change";
const noList = "'Recipients (JSON)' must be a list: it starts with [ and ends with ]";
const noOne = "'Recipients' is empty. Add at least one";
const noObject =
	'\'Placeholder Values (JSON)\' needs an object such as {"name": "Anna"} for recipient 1';

/** Operation, field, a value that does not fit, and how the message begins. */
const refusals: Refusal[] = [
	['sender.create', 'senderName', 'TWELVELETTER', ofSms],
	['sender.create', 'senderName', 'ДВЕНАДЦАТЬ12', ofSms],
	[
		'sender.update',
		'updateFields.dateTo',
		'2026-03-31T00:00:00Z',
		"'Valid Until' must not be before the start",
	],
	['sender.update', 'updateFields', {}, nothingToDo],
	['company.update', 'updateFields', {}, nothingToDo],
	['company.update', 'updateFields', { name: '', actualAddress: ' ' }, nothingToDo],
	['company.update', 'updateFields', { budget: '' }, "'Monthly Budget' is empty. Enter a number"],
	['company.update', 'updateFields.budget', -0.01, noBudget],
	['company.create', 'additionalFields.budget', -1, noBudget],
	['dispatch.create', `${schedule}.hours`, [9, 24], "'Hours' (entry 2) must be at most 23"],
	['dispatch.create', `${schedule}.hours`, [-1], "'Hours' (entry 1) must be at least 0"],
	['dispatch.create', `${schedule}.days`, [0], "'Weekdays' (entry 1) must be at least 1"],
	['dispatch.create', `${schedule}.days`, [1, 2, 8], "'Weekdays' (entry 3) must be at most 7"],
	['dispatch.create', `${schedule}.startAt`, '', "'Start At' is required in a schedule"],
	['dispatch.create', `${schedule}.hours`, [], "'Hours' needs at least one hour, 0 to 23"],
	[
		'dispatch.create',
		`${schedule}.days`,
		[],
		"'Weekdays' needs at least one weekday, 1 (Monday) to 7 (Sunday)",
	],
	['dispatch.create', 'options.callbackUrl', 'ftp://example.com/hook', noUrl],
	['dispatch.create', 'options.callbackUrl', 'example.com/hook', noUrl],
	['dispatch.create', 'options.callbackUrl', 'javascript:alert(1)', noUrl],
	['dispatch.create', 'messages', {}, noOne],
	['dispatch.create', `${recipient}.substitutions`, '["Anna"]', noObject],
	['dispatch.create', `${recipient}.substitutions`, '"Anna"', noObject],
	[
		'dispatch.create',
		`${recipient}.substitutions`,
		'{ "name": }',
		"'Placeholder Values (JSON)' isn't valid JSON",
	],
	['dispatch.addMessages', 'messagesJson', '[]', noOne],
	['dispatch.addMessages', 'messagesJson', '{ "destination": "79161234567" }', noList],
	['dispatch.addMessages', 'messagesJson', '[{', "'Recipients (JSON)' isn't valid JSON"],
	[
		'dispatch.addMessages',
		'messagesJson',
		'[7]',
		"'Recipients (JSON)' needs an object for recipient 1",
	],
	[
		'dispatch.addMessages',
		'messagesJson',
		'[{ "destination": "79161234567", "substitutions": [] }]',
		noObject,
	],
	['blacklist.add', 'msisdn', 'call me', '\'Phone Number\' "call me" '],
	['blacklist.remove', 'msisdn', '+7 912', '\'Phone Number\' "+7 912" '],
	['price.estimateCost', 'recipients', 2.5, "'Recipients' must be a whole number, 1 or greater"],
];

/** Refusals of values that the editor does not let pass, but an expression may give. */
const fromExpressions: Refusal[] = [
	['company.create', 'name', '', shortOf('Name')],
	['company.update', 'companyId.value', 'x1', '\'Company\' must be a number, but is "x1"'],
	['company.update', 'companyId.value', 1.5, "'Company' "],
	['document.getAll', 'companyId.value', -4, "'Company' "],
	['sender.create', 'senderName', '', shortOf('Sender Name')],
	['dispatch.create', 'senderIds', [], "'Sender Names or IDs' needs at least one sender name"],
	[
		'dispatch.create',
		'senderIds',
		'',
		"'Sender Names or IDs' is empty. Choose a value, or remove the field",
	],
	['dispatch.create', 'senderIds', 'x1', '\'Sender Names or IDs\' must be a number, but is "x1"'],
	['sender.close', 'dateTo', '', shortOf('Valid Until')],
	['sender.suspend', 'id.value', 'x1', '\'Sender Name\' must be a number, but is "x1"'],
	['dispatch.start', 'id.value', '', shortOf('Dispatch')],
	['company.getAll', 'limit', 0, "'Limit' "],
	['message.getAll', 'limit', -1, "'Limit' "],
	['company.getAll', 'returnAll', 'maybe', '\'Return All\' must be true or false, but is "maybe"'],
];

describeRefusals({
	bench,
	resources: partnerResources,
	plainRow,
	refusals,
	fromExpressions,
	fitting: { returnAll: false, limit: 50 },
});

describe('what is near to a refusal and fits', () => {
	test.each([
		['sender.create', 'senderName', 'ELEVENCHARS'],
		['sender.create', 'senderName', '!TULIPS!'],
		['company.create', 'additionalFields.budget', 0],
		['dispatch.create', 'options.callbackUrl', 'http://user:secret@10.0.0.1:8080/'],
		['dispatch.create', 'options.schedule.when.hours', [0, 23]],
		['dispatch.create', 'options.schedule.when.days', [1, 7]],
	])('%s takes %s = %j', async (operation, field, value) => {
		const { parameters, seed } = plainRow(operation);
		await seed?.(bench.sandbox);
		const { error } = await bench.run(operation, withField(parameters, field, value));
		expect(error).toBeUndefined();
	});

	test('a name of more than 11 characters for another channel, with spaces for another operator', async () => {
		const { parameters, seed } = plainRow('sender.create');
		await seed?.(bench.sandbox);
		const changed = { channelType: 'VIBER', brand: 'MTS', senderName: 'Camomile + Flowers' };
		const { error } = await bench.run('sender.create', { ...parameters, ...changed });
		expect(error).toBeUndefined();
		expect([...bench.store.senders.values()].at(-1)?.senderName).toBe('Camomile + Flowers');
	});

	test('an end at the very moment of the start', async () => {
		const { parameters, seed } = plainRow('sender.update');
		await seed?.(bench.sandbox);
		const same = withField(parameters, 'updateFields.dateTo', '2026-04-01T03:00:00+03:00');
		expect((await bench.run('sender.update', same)).error).toBeUndefined();
	});
});

describe('Monthly Budget', () => {
	test.each([
		['left out', {}, false],
		['0', { budget: 0 }, true],
		['"0" as text', { budget: '={{ "0" }}' }, true],
	])('%s', async (_, additionalFields, isSent) => {
		const { parameters } = plainRow('company.create');
		const { error } = await bench.run('company.create', { ...parameters, additionalFields });
		expect(error).toBeUndefined();
		const [request] = await bench.wire();
		expect('budget' in (request?.body as IDataObject)).toBe(isSent);
		expect([...bench.store.companies.values()].at(-1)?.budget).toBe(isSent ? 0 : null);
	});
});
