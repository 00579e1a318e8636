import { apiErrors } from '../../core/contract/errors';

type Status = 400 | 401 | 403 | 404;

/** A response `{error: {code, msg}}` that a handler throws instead of returning. */
export class ApiError extends Error {
	constructor(
		readonly status: Status,
		readonly code: number,
		message: string,
	) {
		super(message);
	}
}

const fromTable = (code: keyof typeof apiErrors, detail?: string) =>
	new ApiError(
		apiErrors[code].status,
		code,
		detail === undefined ? apiErrors[code].msg : `${apiErrors[code].msg}: ${detail}`,
	);

export const badRequest = (detail: string) => fromTable(4000, detail);
export const notFound = (detail: string) => fromTable(4040, detail);
export const notAuthenticated = (detail?: string) => fromTable(4010, detail);
export const badCredentials = () => fromTable(4012);
export const ipNotAllowed = () => fromTable(4013);
export const accessDenied = () => fromTable(4030);

/** The entity with this id, or 4040. */
export const found = <Value,>(value: Value | undefined, what: string, id: unknown): Value => {
	if (value === undefined) throw notFound(`${what} ${String(id)} does not exist`);
	return value;
};
