import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

/** Small files that are what their first bytes say, with every value a byte can have behind them. */
const allBytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
const fileOf = (...signature: number[]) => Buffer.concat([Buffer.from(signature), allBytes]);

export const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), allBytes]);
export const jpg = fileOf(0xff, 0xd8, 0xff, 0xe0);
export const png = fileOf(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** A file as n8n keeps it in memory. */
export const inMemory = (
	bytes: Buffer,
	fileName: string | undefined,
	mimeType = 'application/octet-stream',
): IBinaryData => ({ data: bytes.toString('base64'), mimeType, fileName });

export const itemWith = (data: IBinaryData, json = {}): INodeExecutionData => ({
	json,
	binary: { data },
});
