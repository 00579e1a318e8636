import { widgetErrors } from '../contract/errors';
import type { Explanation } from './types';

/** Who can do something about it. */
const classes = {
	user: 'The user of your page has to act',
	settings: "You have to act, in your account on the provider's website",
	integration:
		'You have to act, where the widget is built in: your page, your workflow or your keys',
} as const;

/** How to get unstuck, by the number the widget shows too. */
const advice: Readonly<Record<number, string>> = {
	110: 'The user has to solve the captcha again.',
	130: 'The user has to wait before the next attempt. Do not repeat it from a workflow.',
	210: 'Top up the balance of the account.',
	230: 'Choose an active sender name for the channel in the settings of the widget.',
	310: "Initialize the widget on the page with the ID it has in your account on the provider's website.",
	320: 'Fill in Key: the page has to pass on what the widget gave it.',
	321: 'Check that the page reaches this workflow. In a website builder, create the widget for the builder site.',
	330: 'Put a valid API Key into the credential of this node: it may be mistyped, deactivated or reissued.',
	331: "Create an API key of the type for verification in your account on the provider's website and put it into the credential.",
	340: 'Compare secret key, site key, captcha type and allowed domains with those at the captcha provider, and check whether its free monthly quota is used up.',
	341: 'Check site key and captcha type in the settings of the widget, and that the page may load the script of the captcha provider.',
	350: 'Check the function on the page that passes the message ID on, and the URL it calls.',
};

/** Errors of the phone verification widget. */
export const explainWidget = (code: number): Explanation | undefined => {
	const known = widgetErrors[code];
	return (
		known && {
			message: `Verification widget, error ${code}: ${known.cause}`,
			description: `${classes[known.class]}. ${advice[code]}`,
		}
	);
};
