import { codedName, type NameCode } from '../../core/contract/dispatchName';
import type { ListedDispatch } from '../../nodes/dispatches/ask/partner';
import type { AcceptedRecipient } from '../../nodes/dispatches/plan/rows';

export const now = Date.UTC(2026, 2, 2, 12);
export const minute = 60_000;
export const hour = 60 * minute;
export const ago = (ms: number): string => new Date(now - ms).toISOString();

/** What the name of another run's dispatch says: it was made for three people. */
export const code: NameCode = {
	content: 'c0ntent1',
	run: 'an0therr',
	planned: 3,
	purpose: 'send',
	attempt: 1,
};
export const ourRun = '0urownrn';

/** `Spring sale`, with the code of another run. */
export const named = (more: Partial<NameCode> = {}, base = 'Spring sale'): string =>
	codedName(base, { ...code, ...more });

/** An entry of the list: created a minute ago by another run for three people, all of them in it, not started. */
export const entry = (more: Partial<ListedDispatch> = {}): ListedDispatch => ({
	id: 17,
	name: named(),
	status: 'CREATED',
	channelType: 'SMS',
	createdAt: ago(minute),
	total: 3,
	givenEstimate: undefined,
	...more,
});

/** `a` is a person, `a:Hi` one with another text than the others. */
export const person = (
	written: string,
	position = written.charCodeAt(0) - 97,
): AcceptedRecipient => {
	const [destination = '', text = 'Hello'] = written.split(':');
	return { itemIndex: position, position, destination, text, recipient: { destination } };
};

/** `ab` is two of them. */
export const people = (...written: string[]): AcceptedRecipient[] =>
	written.map((one) => person(one));
