/** The address for the service, with login and password in it: that is how it presents them (RFC 3986, Basic). */
export const withLogin = (
	callbackUrl: string,
	{ login, password }: { login: string; password: string },
): string => {
	const url = new URL(callbackUrl);
	url.username = encodeURIComponent(login);
	url.password = encodeURIComponent(password);
	return url.href;
};
