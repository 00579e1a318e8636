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

const isPort = (port: number): boolean => port >= 1 && port <= 65_535;

export const isHttpUrl = (text: string): boolean => {
	const [, where, path = '', query = ''] = parts.exec(text) ?? [];
	const [, user = '', host = '', port = ''] = authority.exec(where ?? '') ?? [];
	if (where === undefined || !ofUser.test(user)) return false;
	// The platform's parser knows IPv6.
	const isHost = host.startsWith('[') ? URL.canParse(`http://${host}/`) : ofName.test(host);
	return (
		isHost && (port === '' || isPort(Number(port))) && ofPath.test(path) && ofQuery.test(query)
	);
};
