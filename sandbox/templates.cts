import type { AuthorizationTemplate } from './entities.cts';
import { literal } from './faults.cts';

/** A placeholder such as `{code}` stands for any text, of at least one character. */
const isBuiltFrom = ({ text }: AuthorizationTemplate, written: string): boolean =>
	new RegExp(
		`^${text
			.split(/\{\w+\}/)
			.map(literal)
			.join('.+')}$`,
		's',
	).test(written);

/** "value `AUTHORIZE` marks messages built from an authorization template" */
export const isAuthorization = (
	templates: readonly AuthorizationTemplate[],
	written: string,
): boolean => templates.some((template) => isBuiltFrom(template, written));
