/** The grammar of RFC 3986 for http and https URLs, without a fragment, because a client never sends one. */

/** `unreserved`, `sub-delims` and percent codes, plus what each part allows. */
const ofUser = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*$/;
const ofName = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;
const ofPath = /^(?:$|\/)(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/;
const ofQuery = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;
/**
 * Authority, path and query, based on the regular expression in appendix B of the RFC. A path starts with `/`, so there is only one
 * way to split a text, and a long one takes no more than linear time.
 */
const parts = /^https?:\/\/([^/?#]*)(\/[^?#]*|)(?:\?([^#]*))?$/i;
/** The last `@` ends the login; the port follows the last `:` outside of brackets. */
const authority = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:@]*)(?::(\d+))?$/;

const isV4 = (text: string) =>
	/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) &&
	text.split('.').every((part) => Number(part) <= 255 && String(Number(part)) === part);

/** Eight groups of 16 bits; the last two may be an IPv4 address, and `::` replaces one or more groups of zeros. */
const isV6 = (text: string): boolean => {
	const halves = text.split('::');
	if (halves.length > 2) return false;
	const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
	const last = groups.at(-1) ?? '';
	const hasV4 = last.includes('.');
	if (hasV4 && (!isV4(last) || halves.at(-1) === '')) return false;
	const others = hasV4 ? groups.slice(0, -1) : groups;
	if (!others.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
	const count = others.length + (hasV4 ? 2 : 0);
	return halves.length === 2 ? count <= 7 : count === 8;
};

const highestPort = 65_535;

export const isPort = (port: number): boolean => port >= 1 && port <= highestPort;

export const isHttpUrl = (text: string): boolean => {
	const [, where, path = '', query = ''] = parts.exec(text) ?? [];
	const [, user = '', host = '', port = ''] = authority.exec(where ?? '') ?? [];
	if (where === undefined || !ofUser.test(user)) return false;
	const isHost = host.startsWith('[') ? isV6(host.slice(1, -1)) : ofName.test(host);
	return (
		isHost && (port === '' || isPort(Number(port))) && ofPath.test(path) && ofQuery.test(query)
	);
};
