import { createHash, timingSafeEqual } from 'crypto';
import { isInside, readAddress, type Network } from './addresses';

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
