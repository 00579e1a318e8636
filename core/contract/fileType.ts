import { documentLimits } from './company';

type FileType = (typeof documentLimits.types)[number];

const signatures: ReadonlyArray<[FileType, readonly number[]]> = [
	['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
	['image/jpeg', [0xff, 0xd8, 0xff]],
	['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
];

/** The type of a file by its first bytes; `undefined` for a type that the service doesn't accept. */
export const findFileType = (bytes: Uint8Array): FileType | undefined =>
	signatures.find(([, signature]) => signature.every((byte, index) => bytes[index] === byte))?.[0];
