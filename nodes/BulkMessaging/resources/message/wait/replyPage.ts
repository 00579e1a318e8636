import { markup, Markup } from '../../../../shared/markup';
import type { PageTexts } from './params';

/** The page behind the link in a message. It needs no script, and everything that comes from outside is escaped. */

const pageStyle = new Markup(`
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#f4f5f7, #16181d); color: light-dark(#1b1f27, #eceef2); }
main { box-sizing: border-box; max-width: 32rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 1rem; }
.message { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 1.5rem; padding: 1rem; border-radius: 0.75rem; background: light-dark(#fff, #22252c); }
#limit { margin: 0; }
form { display: grid; gap: 0.75rem; }
button, textarea { font: inherit; box-sizing: border-box; width: 100%; border-radius: 0.5rem; }
button { min-height: 3rem; padding: 0.5rem 1rem; border: 2px solid light-dark(#14532d, #86efac); background: light-dark(#14532d, #86efac); color: light-dark(#fff, #052e16); overflow-wrap: anywhere; }
button.other { background: none; border-color: currentcolor; color: inherit; }
textarea { min-height: 8rem; padding: 0.75rem; border: 2px solid light-dark(#5b6472, #9aa3b2); background: light-dark(#fff, #22252c); color: inherit; }
:focus-visible { outline: 3px solid light-dark(#1d4ed8, #93c5fd); outline-offset: 2px; }
`);

const page = (title: string, body: Markup | string = '', lang = 'en'): string =>
	markup`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1 id="title" dir="auto">${title}</h1>
${body}
</main>
</body>
</html>
`.text;

/** Nobody may store the page, put it into another one, or send it anywhere but here. */
export const pageHeaders: Readonly<Record<string, string>> = {
	'Content-Type': 'text/html; charset=utf-8',
	'Cache-Control': 'no-store',
	'Content-Security-Policy': Object.entries({
		'default-src': 'none',
		'style-src': 'unsafe-inline',
		'form-action': 'self',
		'frame-ancestors': 'none',
		'base-uri': 'none',
	})
		.map(([rule, source]) => `${rule} '${source}'`)
		.join('; '),
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
};

/** The names of the form's fields. */
export const replyField = 'reply';
export const replyValues = { approve: 'approve', decline: 'decline' } as const;

/** Longer replies are rejected. */
export const longestReply = 4_000;

/** The language of a text that a user or a person wrote isn't known. */
const message = (text: string): Markup => markup`<p class="message" dir="auto" lang="">${text}</p>`;

/** `undefined` if the message has no text, only a picture for example. */
type Question = string | undefined;

const neededReply = (
	question: Question,
	{ responseFormTitle, language }: PageTexts,
	form: Markup,
): string =>
	page(
		responseFormTitle,
		markup`${question === undefined ? markup`<p lang="en">The question is in the message that you received.</p>` : message(question)}
<form method="post">
${form}
</form>`,
		language,
	);

/** `decline` is left out if there is only one button. */
export const approvalPage = (
	question: Question,
	texts: PageTexts,
	{ approve, decline }: { approve: string; decline?: string },
): string =>
	neededReply(
		question,
		texts,
		markup`<button name="${replyField}" value="${replyValues.approve}" dir="auto">${approve}</button>
${decline === undefined ? '' : markup`<button name="${replyField}" value="${replyValues.decline}" class="other" dir="auto">${decline}</button>`}`,
	);

/** `written` is a text that was too long. Nothing of it was accepted. */
export const textPage = (question: Question, texts: PageTexts, written = ''): string => {
	const length = written === '' ? '' : `${written.length.toLocaleString('en')} / `;
	return neededReply(
		question,
		texts,
		markup`<textarea name="${replyField}" maxlength="${longestReply}" aria-labelledby="title" aria-describedby="limit" dir="auto" lang="" required>
${written}</textarea>
<p id="limit">${length}max. ${longestReply.toLocaleString('en')}</p>
<button dir="auto">${texts.responseFormButtonLabel}</button>`,
	);
};

export const thanksPage = (reply: string, { thanksTitle, language }: PageTexts): string =>
	page(thanksTitle, message(reply), language);

export const overPage = ({ overTitle, language }: PageTexts): string =>
	page(overTitle, '', language);

export const forgedPage = (): string =>
	page(
		'This link is not valid',
		markup`<p>Open the link exactly as it is in the message. No reply was sent.</p>`,
	);
