import { z } from '../../vendor/zod';
import { partnerEndpoint } from './endpoint';
import {
	CompanyStatus,
	CounteragentType,
	Datetime,
	Id,
	Int,
	looseObject,
	Money,
	listPage,
	strictObject,
} from './values';

/** A company as the list returns it; `budget` is an object here and a plain number in requests. */
export const Company = looseObject({
	companyId: Int,
	name: z.string(),
	counteragentName: z.string(),
	counteragentInn: z.string(),
	status: CompanyStatus,
	budget: Money.nullish(),
});

/** The maximum a company may spend per calendar month. Omitted means unlimited; 0 means nothing. */
const Budget = z.number().finite().nonnegative('must not be below 0. For no limit, leave it out');

const CompanyCreate = strictObject({
	company: strictObject({
		name: z.string().min(1),
		counteragentType: CounteragentType,
		counteragentInn: z.string().min(1),
		counteragentAddress: z.string().optional(),
		counteragentKpp: z.string().optional(),
	}),
	budget: Budget.optional(),
});

const CompanyUpdate = strictObject({
	budget: Budget.optional(),
	status: CompanyStatus.optional(),
	name: z.string().min(1).optional(),
	actualAddress: z.string().optional(),
});

export const CompanyDocument = looseObject({
	id: z.string(),
	companyId: Int,
	filename: z.string(),
	createdAt: Datetime,
});

/** Limits of the contract: PDF, JPG or PNG, at most 10 MB. */
export const documentLimits = {
	maxBytes: 10 * 1024 * 1024,
	types: ['application/pdf', 'image/jpeg', 'image/png'],
} as const;

type FileType = (typeof documentLimits.types)[number];

const signatures: ReadonlyArray<[FileType, readonly number[]]> = [
	['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
	['image/jpeg', [0xff, 0xd8, 0xff]],
	['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
];

/** The type of a file by its first bytes; `undefined` for a type that the service doesn't accept. */
export const findFileType = (bytes: Uint8Array): FileType | undefined =>
	signatures.find(([, signature]) => signature.every((byte, index) => bytes[index] === byte))?.[0];

/** The form part `file` of an upload. Bytes instead of a stream, because the body is built again after a 401. */
export interface UploadFile {
	filename: string;
	contentType: string;
	bytes: Uint8Array;
}

export const isUploadFile = (value: unknown): value is UploadFile =>
	typeof value === 'object' && value !== null && 'filename' in value && 'bytes' in value;

export const FormFile = z.custom<UploadFile>(isUploadFile, 'must be a file');

const DocumentFile = FormFile.refine(
	({ contentType }) => documentLimits.types.some((type) => type === contentType),
	'must be a PDF, JPG or PNG file',
).refine(
	({ bytes }) => bytes.byteLength <= documentLimits.maxBytes,
	'must not be larger than 10 MB',
);

export const companyEndpoints = {
	companyCreate: partnerEndpoint('POST', '/company', {
		status: 201,
		body: CompanyCreate,
		reply: looseObject({ companyId: Id }),
	}),
	companyList: partnerEndpoint('GET', '/company', {
		query: z.object({ page: Id.optional(), per_page: Id.optional() }),
		paging: { number: 'page', size: 'per_page', defaultSize: 10, key: 'companyId' },
		reply: listPage(Company),
	}),
	companyUpdate: partnerEndpoint('PUT', '/company/{id}', {
		pathParams: z.object({ id: Id }),
		body: CompanyUpdate,
		reply: looseObject({ companyId: Int, updatedAt: Datetime }),
		idField: 'companyId',
	}),
	documentUpload: partnerEndpoint('POST', '/company/{id}/documents', {
		status: 201,
		encoding: 'multipart',
		pathParams: z.object({ id: Id }),
		body: strictObject({ file: DocumentFile }),
		reply: CompanyDocument,
		idField: 'companyId',
	}),
	documentList: partnerEndpoint('GET', '/company/{id}/documents', {
		pathParams: z.object({ id: Id }),
		paging: 'whole',
		reply: z.array(CompanyDocument),
	}),
};
