import { createHash, timingSafeEqual } from 'crypto';

/** An IP address as the 128 bits of IPv6; IPv4 in its mapped form, so that 10.0.0.1 and ::ffff:10.0.0.1 are the same. */
type Groups = number[];

export interface Network {
	groups: Groups;
	/** How many of the 128 bits must match. */
	bits: number;
}

const mapped = 96;

const readIPv4 = (text: string): Groups | undefined => {
	// Leading zeros are rejected: some programs read such a number as octal, others as decimal.
	const parts = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/.exec(
		text,
	);
	const bytes = parts?.slice(1).map(Number);
	if (bytes === undefined || bytes.some((byte) => byte > 255)) return undefined;
	const [a = 0, b = 0, c = 0, d = 0] = bytes;
	return [a * 256 + b, c * 256 + d];
};

const readGroups = (text: string): Groups | undefined => {
	if (text === '') return [];
	const groups: Groups = [];
	const parts = text.split(':');
	for (const [index, part] of parts.entries()) {
		const isLast = index === parts.length - 1;
		const tail = isLast && part.includes('.') ? readIPv4(part) : undefined;
		if (tail !== undefined) groups.push(...tail);
		else if (/^[\da-f]{1,4}$/i.test(part)) groups.push(parseInt(part, 16));
		else return undefined;
	}
	return groups;
};

const readIPv6 = (text: string): Groups | undefined => {
	const [before = '', after, ...rest] = text.split('::');
	const head = readGroups(before);
	const tail = readGroups(after ?? '');
	if (head === undefined || tail === undefined || rest.length > 0) return undefined;
	if (after === undefined) return head.length === 8 ? head : undefined;
	const missing = 8 - head.length - tail.length;
	return missing < 1 ? undefined : [...head, ...Array.from({ length: missing }, () => 0), ...tail];
};

/** `undefined` if the text isn't an IP address. A zone (fe80::1%eth0) names a local network interface and is ignored. */
export const readAddress = (text: string): Groups | undefined => {
	if (text.includes(':')) return readIPv6(text.split('%')[0] ?? '');
	const groups = readIPv4(text);
	return groups && [0, 0, 0, 0, 0, 0xffff, ...groups];
};

/** Reads `192.0.2.7`, `192.0.2.0/24` or `2001:db8::/32`; `undefined` for anything else. */
export const readNetwork = (text: string): Network | undefined => {
	const [address = '', length, ...rest] = text.split('/');
	const groups = address.includes('%') ? undefined : readAddress(address);
	if (groups === undefined || rest.length > 0) return undefined;
	if (length === undefined) return { groups, bits: 128 };
	const offset = address.includes(':') ? 0 : mapped;
	if (!/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > 128 - offset) return undefined;
	return { groups, bits: Number(length) + offset };
};

const isInside = (address: Groups, { groups, bits }: Network): boolean =>
	groups.every((group, index) => {
		const relevant = Math.min(Math.max(bits - index * 16, 0), 16);
		return group >> (16 - relevant) === (address[index] ?? 0) >> (16 - relevant);
	});

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

/** Compares hashes, which have the same length, so that the time it takes reveals nothing about the expected value. */
const areEqual = (one: Buffer, other: Buffer) => timingSafeEqual(digest(one), digest(other));

const encodedLogin = (authorization: string | undefined) =>
	/^basic +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];

/** Whether an Authorization header presents any login (RFC 7617). */
export const presentsAny = (authorization: string | undefined): boolean =>
	encodedLogin(authorization) !== undefined;

/** Whether an Authorization header presents this login and password. */
export const presents = (
	authorization: string | undefined,
	{ login, password }: { login: string; password: string },
): boolean => {
	const encoded = encodedLogin(authorization) ?? '';
	return areEqual(Buffer.from(encoded, 'base64'), Buffer.from(`${login}:${password}`));
};

/** An IP address that can't be parsed isn't allowed. */
export const isAllowed = (address: string | undefined, networks: readonly Network[]): boolean => {
	const groups = readAddress(address ?? '');
	return groups !== undefined && networks.some((network) => isInside(groups, network));
};
