import { createHash, timingSafeEqual } from 'crypto';

/** An IP address as the 128 bits of IPv6; IPv4 in its mapped form, so that 10.0.0.1 and ::ffff:10.0.0.1 are the same. */
type Groups = number[];

export interface Network {
	groups: Groups;
	/** How many of the 128 bits must match. */
	bits: number;
}

const mapped = 96;

const groupsIn = (text: string): Groups =>
	text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));

/** `undefined` if the text isn't an IP address. A zone (fe80::1%eth0) names a local network interface and is ignored. */
export const readAddress = (text: string): Groups | undefined => {
	const isIPv4 = text.includes('.') && !text.includes(':');
	const address = isIPv4 ? `::ffff:${text}` : (text.split('%')[0] ?? '');
	const url = `http://[${address}]/`;
	// The platform's parser knows IPv6. It rejects numbers with leading zeros, which some programs read as octal.
	if (!/^[\da-f.:]+$/i.test(address) || !URL.canParse(url)) return undefined;
	const [before = [], after = []] = new URL(url).hostname.slice(1, -1).split('::').map(groupsIn);
	return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
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
