import type { AuthorizationTemplate } from './entities.cts';

/** A placeholder such as `{code}` matches any text of at least one character. */
const isBuiltFrom = ({ text }: AuthorizationTemplate, written: string): boolean => {
	const [first = '', ...others] = text.split(/\{\w+\}/);
	const last = others.pop();
	if (last === undefined) return written === text;
	if (!written.startsWith(first)) return false;
	let end = first.length;
	for (const between of others) {
		const at = written.indexOf(between, end + 1);
		if (at < 0) return false;
		end = at + between.length;
	}
	return written.endsWith(last) && written.length - last.length > end;
};

/** "value `AUTHORIZE` marks messages built from an authorization template" */
export const isAuthorization = (
	templates: readonly AuthorizationTemplate[],
	written: string,
): boolean => templates.some((template) => isBuiltFrom(template, written));
