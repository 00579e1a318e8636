import type { documentLimits } from '../core/contract/company';

const signatures: ReadonlyArray<[type: (typeof documentLimits.types)[number], bytes: number[]]> = [
	['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
	['image/jpeg', [0xff, 0xd8, 0xff]],
	['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
];

/** The type by content: what the form says, and a name ending in .jpg, prove nothing. */
export const typeOf = (bytes: Uint8Array) =>
	signatures.find(([, signature]) => signature.every((byte, index) => bytes[index] === byte))?.[0];
