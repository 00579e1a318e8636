import type { INodeExecutionData } from 'n8n-workflow';
import { demo } from '../../../sandbox/demo.cts';
import { invalid, notFound, type Row } from '../../nodes/row.cts';
import { inMemory, jpg, pdf } from '../../partner/table/files.cts';
import { fileOnWire } from '../../support/sandbox.cts';
import { addKnown, uuids } from './messages.cts';

const { templates, senderNames, senders } = demo;
const templatePath = '/api/v1/templates';
const senderNamePath = '/api/v1/sender-names';
const flashCallPath = '/api/v1/flashcall-conversion';

const pages = (size: number): Array<[string, string]> => [
	['page', '1'],
	['per_page', String(size)],
];
const unknownTemplate = {
	parameters: { template_id: '={{ $json.id }}' },
	items: [{ id: templates.inReview }, { id: 9_999 }, { id: templates.inReview }] as [
		{ id: number },
		{ id: number },
		{ id: number },
	],
	...notFound,
};

const withFiles: INodeExecutionData = {
	json: {},
	binary: {
		letter: inMemory(pdf, 'letter.pdf', 'application/pdf'),
		scan: inMemory(jpg, 'scan.jpg', 'image/jpeg'),
	},
};
const newName = {
	senderName: 'TULIPS',
	channelType: 'SMS',
	brand: 'TELE2',
	commonType: 'PROMO',
	dateFrom: '2026-04-01T00:00:00Z',
};
/** The ID of the first sender name that a row adds. */
const firstName = senders.general + 1;

export const entityRows: Row[] = [
	{
		operation: 'template.getAll',
		title: 'some of them',
		parameters: { template_id: `${templates.inReview}, ${templates.closed}`, limit: 10 },
		// The filter isn't marked as repeatable.
		wire: [templates.inReview, templates.closed].map((id) => ({
			method: 'GET',
			path: templatePath,
			query: [...pages(10), ['template_id', String(id)]],
		})),
		output: (json) =>
			expect(json).toMatchObject([
				{ id: templates.inReview, status: 'INTERNAL_REVIEW' },
				{ id: templates.closed, status: 'CLOSED' },
			]),
		refused: {
			fault: { method: 'GET', path: templatePath },
			// One request for each item.
			parameters: { template_id: String(templates.inReview) },
			...invalid,
		},
	},
	{
		operation: 'template.get',
		title: 'of WhatsApp',
		parameters: { template_id: String(templates.whatsapp) },
		wire: [{ method: 'GET', path: `${templatePath}/${templates.whatsapp}` }],
		output: (json) => {
			expect(json).toMatchObject([
				{
					id: templates.whatsapp,
					channelType: 'WHATSAPP',
					senderName: senderNames.whatsapp,
					content: { header: { text: 'Camomile Flowers' } },
				},
			]);
			expect(json[0]).not.toHaveProperty('createdAt');
		},
		refused: unknownTemplate,
	},
	{
		operation: 'template.update',
		title: 'everything, and reads it afterwards',
		parameters: {
			template_id: String(templates.inReview),
			updateFields: {
				pattern: 'Your parcel %w is ready',
				dateFrom: '2026-04-01T00:00:00Z',
				dateTo: '2027-04-01T00:00:00Z',
			},
			simplify: false,
		},
		wire: [
			{
				method: 'PUT',
				path: `${templatePath}/${templates.inReview}`,
				body: {
					pattern: 'Your parcel %w is ready',
					dateFrom: '2026-04-01T00:00:00Z',
					dateTo: '2027-04-01T00:00:00Z',
				},
			},
			{ method: 'GET', path: `${templatePath}/${templates.inReview}` },
		],
		output: (json) =>
			expect(json).toMatchObject([
				{
					id: templates.inReview,
					pattern: 'Your parcel %w is ready',
					dateFrom: '2026-04-01T00:00:00.000Z',
					dateTo: '2027-04-01T00:00:00.000Z',
					senderNameId: senders.mts,
				},
			]),
		state: ({ store }) =>
			expect(store.templates.get(templates.inReview)).toMatchObject({
				pattern: 'Your parcel %w is ready',
				dateTo: Date.UTC(2027, 3, 1),
			}),
		refused: { ...unknownTemplate, carriesOn: true },
	},
	{
		operation: 'senderName.getAll',
		title: 'of a channel and a country',
		parameters: { limit: 2, filters: { channel_type: 'VIBER', country_code: 'RU' } },
		wire: [
			{
				method: 'GET',
				path: senderNamePath,
				query: [['channel_type', 'VIBER'], ['country_code', 'RU'], ...pages(2)],
			},
		],
		output: (json) =>
			expect(json).toMatchObject([{ id: senders.viber, senderName: senderNames.viber }]),
		refused: { fault: { method: 'GET', path: senderNamePath }, ...invalid },
	},
	{
		operation: 'senderName.create',
		title: 'with two files',
		parameters: { ...newName, binaryPropertyNames: 'letter, scan' },
		input: withFiles,
		wire: [
			{
				method: 'POST',
				path: senderNamePath,
				body: {
					body: newName,
					file1: fileOnWire('letter.pdf', 'application/pdf', pdf),
					file2: fileOnWire('scan.jpg', 'image/jpeg', jpg),
				},
			},
		],
		output: (json) =>
			expect(json).toMatchObject([{ id: firstName, senderName: 'TULIPS', status: 'DRAFT' }]),
		state: ({ store }) =>
			expect(store.senders.get(firstName)).toMatchObject({
				senderName: 'TULIPS',
				brand: 'TELE2',
				documentIds: ['file1', 'file2'],
			}),
		refused: { fault: { method: 'POST', path: senderNamePath }, ...invalid },
	},
	{
		operation: 'senderName.create',
		title: 'with one file',
		parameters: { ...newName, binaryPropertyNames: 'scan' },
		input: withFiles,
		wire: [
			{
				method: 'POST',
				path: senderNamePath,
				body: { body: newName, file1: fileOnWire('scan.jpg', 'image/jpeg', jpg) },
			},
		],
		output: (json) => expect(json).toMatchObject([{ senderName: 'TULIPS', commonType: 'PROMO' }]),
		state: ({ store }) => expect(store.senders.get(firstName)?.documentIds).toEqual(['file1']),
	},
	{
		operation: 'senderName.create',
		title: 'without files, with another field',
		parameters: {
			senderName: 'TULIPS',
			channelType: 'VIBER',
			options: { additionalFields: '{ "countryId": 1, "brand": "MTS" }' },
		},
		wire: [
			{
				method: 'POST',
				path: senderNamePath,
				body: {
					body: {
						senderName: 'TULIPS',
						channelType: 'VIBER',
						brand: 'MTS',
						commonType: 'COMMON',
						countryId: 1,
					},
				},
			},
		],
		output: (json) => expect(json).toMatchObject([{ id: firstName, channelType: 'VIBER' }]),
		state: ({ store }) => expect(store.senders.get(firstName)?.documentIds).toEqual([]),
	},
	{
		operation: 'verification.reportFlashCall',
		title: 'the right code',
		seed: async (sandbox) => await addKnown(sandbox, 2),
		parameters: { messageUuid: ` ${uuids[0]} `, result: 'NUMBER_VERIFIERD', code: ' 4821 ' },
		wire: [
			{
				method: 'POST',
				path: flashCallPath,
				body: { messageUuid: uuids[0], result: 'NUMBER_VERIFIERD', code: '4821' },
			},
		],
		output: (json) =>
			expect(json).toEqual([{ messageUuid: uuids[0], result: 'NUMBER_VERIFIERD', reported: true }]),
		state: ({ store }) =>
			expect([...store.flashCallResults]).toEqual([[uuids[0], 'NUMBER_VERIFIERD']]),
		refused: {
			parameters: { messageUuid: '={{ $json.id }}' },
			items: [{ id: uuids[0] }, { id: 'nowhere' }, { id: uuids[1] }],
			...notFound,
		},
	},
];
