import { widgetErrors } from '../contract/errors';
import { neededKeys } from '../contract/keys';
import type { Explanation } from './types';

/** Who can fix the error, and where. */
const classes = {
	user: 'The user of your page can fix this',
	settings: "You can fix this in your account on the provider's website",
	integration:
		'You can fix this where the widget is used: in your page, your workflow or your keys',
} as const;

/** What to do next, by the error code that the widget also shows. */
const advice: Readonly<Record<number, string>> = {
	110: 'The user has to solve the captcha again.',
	130: "The user has to wait before the next attempt. Don't repeat it from a workflow.",
	210: 'Top up your balance.',
	230: "Choose an active sender name for the channel in the widget's settings.",
	310: "Initialize the widget on the page with its ID from your account on the provider's website.",
	320: "Fill in 'Key'. The page has to pass on the key that it gets from the widget.",
	321: 'Check that the page reaches this workflow. In a website builder, create the widget for the builder site.',
	330: "Enter a valid API key in this node's credential. The key may be mistyped, deactivated or reissued.",
	331: `Create an API key for ${neededKeys.widget}, in your account on the provider's website and enter it in the credential.`,
	340: 'Compare secret key, site key, captcha type and allowed domains with the settings at the captcha provider, and check whether its free monthly quota is used up.',
	341: "Check site key and captcha type in the widget's settings, and that the page can load the captcha provider's script.",
	350: 'Check the function on the page that passes on the message ID, and the URL it calls.',
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
