import { demo } from '../../../sandbox/demo.cts';
import { pdf } from '../../partner/table/files.cts';
import {
	byExpression,
	fields,
	fromList,
	partnerStep,
	splitOut,
	toFile,
	linksOf,
	type Step,
} from '../support/step.cts';

const { flowers } = demo.companies;
const { numbers, senders } = demo;
const camomile = fromList(flowers, 'Camomile Flowers LLC');
const newCompany = byExpression("$('Create company').item.json.companyId");

const idOf = (json: Array<Record<string, unknown>>, field: string) => Number(json[0]?.[field]);

/** A new client: company, certificate, sender name. */
const newClient: Step[] = [
	fields(
		'Client',
		{ client: 'Lighthouse Books', inn: '7707083893', certificate: pdf.toString('base64') },
		{ after: 'Start' },
	),
	partnerStep(
		'company.create',
		'Create company',
		{
			name: '={{ $json.client }}',
			counteragentType: 'LEGAL',
			counteragentInn: '={{ $json.inn }}',
			additionalFields: { budget: 1500.5 },
		},
		({ json, store }) => {
			expect(json).toEqual([{ companyId: expect.any(Number) as number }]);
			expect(store.companies.get(idOf(json, 'companyId'))).toMatchObject({
				name: 'Lighthouse Books',
				counteragentInn: '7707083893',
			});
		},
	),
	partnerStep(
		'company.update',
		'Update company',
		{
			companyId: byExpression('$json.companyId'),
			updateFields: { actualAddress: 'Kazan', status: 'ACTIVE' },
		},
		({ json, store }) =>
			expect(store.companies.get(idOf(json, 'companyId'))?.actualAddress).toBe('Kazan'),
	),
	partnerStep(
		'company.get',
		'Get company',
		{ companyId: byExpression('$json.companyId') },
		({ json }) =>
			expect(json).toMatchObject([{ name: 'Lighthouse Books', budget: { value: 1500.5 } }]),
	),
	fields('Certificate', "={{ { content: $('Client').item.json.certificate } }}"),
	toFile('Certificate file', 'content', 'certificate.pdf', 'certificate'),
	partnerStep(
		'document.upload',
		'Upload document',
		{ companyId: newCompany, binaryPropertyName: 'certificate' },
		({ json, store, of }) => {
			expect(json).toMatchObject([{ filename: 'certificate.pdf' }]);
			expect(store.documents.get(String(json[0]?.id))).toMatchObject({
				companyId: of('Create company')[0]?.companyId,
				filename: 'certificate.pdf',
				contentType: 'application/pdf',
				size: pdf.byteLength,
			});
		},
	),
	partnerStep(
		'sender.create',
		'Create sender name',
		{
			companyId: newCompany,
			senderName: 'LIGHTHOUSE',
			channelType: 'SMS',
			brand: 'MEGAFON',
			commonType: 'COMMON',
			dateFrom: '={{ $now.plus({ days: 1 }) }}',
			additionalFields: { documentIds: { document: [{ documentId: byExpression('$json.id') }] } },
		},
		({ json, store, of }) => {
			expect(json).toMatchObject([{ senderName: 'LIGHTHOUSE', status: 'DRAFT' }]);
			expect(store.senders.get(idOf(json, 'id'))).toMatchObject({
				companyId: of('Create company')[0]?.companyId,
				brand: 'MEGAFON',
				documentIds: [of('Upload document')[0]?.id],
			});
		},
	),
	partnerStep(
		'sender.update',
		'Update sender name',
		{ id: byExpression('$json.id'), updateFields: { commonType: 'PROMO' } },
		({ json, store }) => {
			expect(store.senders.get(idOf(json, 'id'))?.commonType).toBe('PROMO');
		},
	),
	partnerStep(
		'sender.get',
		'Get sender name',
		{ companyId: newCompany, id: byExpression('$json.id') },
		({ json, of }) =>
			expect(json).toMatchObject([
				{ id: of('Create sender name')[0]?.id, senderName: 'LIGHTHOUSE' },
			]),
	),
	partnerStep('document.getAll', 'Get many documents', { companyId: newCompany }, ({ json, of }) =>
		expect(json).toMatchObject([{ id: of('Upload document')[0]?.id, filename: 'certificate.pdf' }]),
	),
	partnerStep(
		'company.getAll',
		'Get many companies',
		{ returnAll: true },
		({ json, store }) =>
			expect(json.map(({ companyId }) => companyId)).toEqual([...store.companies.keys()]),
		{ executeOnce: true },
	),
];

/** Sender names that are there, chosen from the list. */
const senderNames: Step[] = [
	partnerStep(
		'sender.suspend',
		'Suspend sender name',
		{
			companyId: camomile,
			id: fromList(senders.viber, 'FlowersViber · VIBER · MTS · approved'),
			reason: 'Complaints',
		},
		({ json, store }) => {
			expect(json).toMatchObject([{ id: senders.viber, suspended: true }]);
			expect(store.senders.get(senders.viber)).toMatchObject({
				suspended: true,
				suspendReason: 'Complaints',
			});
		},
		{ after: 'Start' },
	),
	partnerStep(
		'sender.unsuspend',
		'Unsuspend sender name',
		{
			companyId: camomile,
			id: fromList(senders.suspended, 'FLOWERSVIP · SMS · TELE2 · approved, suspended'),
		},
		({ json, store }) => {
			expect(json).toMatchObject([{ id: senders.suspended, suspended: false }]);
			expect(store.senders.get(senders.suspended)?.suspended).toBe(false);
		},
	),
	partnerStep(
		'sender.close',
		'Close sender name',
		{
			companyId: camomile,
			id: fromList(senders.whatsapp, 'FlowersWA · WHATSAPP · MTS · approved'),
			dateTo: '2099-12-31T23:59:59+03:00',
			suspend: true,
			reason: 'Contract ended',
		},
		({ json, store }) => {
			expect(json).toMatchObject([{ id: senders.whatsapp, suspended: true }]);
			expect(store.senders.get(senders.whatsapp)).toMatchObject({
				suspended: true,
				suspendReason: 'Contract ended',
				dateTo: Date.UTC(2099, 11, 31, 20, 59, 59),
			});
		},
	),
	partnerStep(
		'sender.getAll',
		'Get many sender names',
		{ companyId: camomile, filters: { brand: ['BEELINE', 'TELE2'], status: ['APPROVED'] } },
		({ json }) =>
			expect(json.map(({ id }) => id)).toEqual([senders.beeline, senders.tele2, senders.suspended]),
	),
];

/** Several people who want nothing any more, and one who changed their mind. */
const blacklist: Step[] = [
	fields(
		'Answers',
		{
			answers: [
				{ phone: '8 (916) 123-45-67' },
				{ phone: '+7 903 1234567' },
				{ phone: '79261234567' },
			],
		},
		{ after: 'Start' },
	),
	splitOut('Opt-out', 'answers'),
	partnerStep(
		'blacklist.add',
		'Add to blacklist',
		{ companyId: camomile, msisdn: '={{ $json.phone }}', comment: 'Answered STOP' },
		({ json, items, store }) => {
			expect(json.map(({ msisdn }) => msisdn)).toEqual([
				numbers.mts,
				numbers.beeline,
				numbers.megafon,
			]);
			expect(items.map(linksOf)).toEqual([[0], [1], [2]]);
			expect(store.blacklists.get(flowers)?.get(numbers.beeline)).toBe('Answered STOP');
		},
	),
	partnerStep(
		'blacklist.remove',
		'Remove from blacklist',
		{ companyId: camomile, msisdn: '={{ $json.msisdn }}' },
		({ json, store }) => {
			expect(json).toEqual([{ msisdn: numbers.mts, companyId: flowers, blacklist: false }]);
			expect([...(store.blacklists.get(flowers)?.keys() ?? [])].sort()).toEqual([
				numbers.beeline,
				numbers.megafon,
			]);
		},
		{ executeOnce: true },
	),
];

const prices: Step[] = [
	partnerStep(
		'price.getTariffs',
		'Get tariffs',
		{ filters: { brand: 'MTS', senderType: 'PRO', trafficType: 'PROMO', pricingModel: 'SCALED' } },
		({ json }) => expect(json).toMatchObject([{ brand: 'MTS', prices: [{ price: 3.4 }, {}, {}] }]),
		{ after: 'Start' },
	),
	partnerStep(
		'price.estimateCost',
		'Estimate cost',
		{
			text: 'Hello',
			recipients: 3,
			filters: {
				brand: '={{ $json.brand }}',
				senderType: '={{ $json.senderType }}',
				trafficType: '={{ $json.trafficType }}',
				pricingModel: '={{ $json.pricingModel }}',
			},
		},
		({ json }) =>
			expect(json).toMatchObject([{ total: 10.2, currency: 'RUB', pricePerMessage: 3.4 }]),
	),
	partnerStep('price.getSenderFees', 'Get sender fees', {}, ({ json }) =>
		expect(json).toMatchObject([
			{ brand: 'MTS', value: 2500 },
			{ brand: 'BEELINE' },
			{ brand: 'MEGAFON' },
			{ brand: 'TELE2' },
		]),
	),
];

export const clientSteps: Step[] = [...newClient, ...senderNames, ...prices];
/** Behind the dispatches, which must not meet blacklisted numbers. */
export const blacklistSteps: Step[] = blacklist;
