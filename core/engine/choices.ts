import { UnfitValueError } from './errors';
import type { Param } from './params';
import { toNumber, toText } from './scalars';

type Choice = string | number | boolean;

/** There are more countries than anybody wants to read in an error. */
const mostNamed = 12;

const toKey = (text: string) => text.trim().toLowerCase();

interface Listed {
	/** As they are stored. */
	values: ReadonlySet<unknown>;
	/** By value and by label, as people write them. */
	byName: ReadonlyMap<string, Choice>;
}

const readOptions = ({ options = [] }: Param): Listed => {
	const offered = options.filter((option) => 'value' in option);
	const byName = new Map<string, Choice>();
	for (const { name, value } of offered) byName.set(toKey(name), value);
	// Last: where a label is also the value of another option, the value applies.
	for (const { value } of offered) byName.set(toKey(String(value)), value);
	return { values: new Set(offered.map(({ value }) => value)), byName };
};

/** Read once for each parameter: expressions give choices item by item. */
const listedByParam = new WeakMap<Param, Listed>();

const listedIn = (param: Param): Listed => {
	const found = listedByParam.get(param) ?? readOptions(param);
	listedByParam.set(param, found);
	return found;
};

/** Some lists offer "not set" as a choice. */
export const offersEmpty = (param: Param): boolean => listedIn(param).values.has('');

const rejectChoice = (text: string, { displayName }: Param, { values }: Listed): never => {
	const offered = [...values].map(String).filter((one) => one !== '');
	const some = offered.slice(0, mostNamed).join(', ');
	const others = offered.length > mostNamed ? ' or another one of its list' : '';
	throw new UnfitValueError(
		displayName,
		`must be one of ${some}${others}, but is ${JSON.stringify(text)}`,
	);
};

/** The screen offers only the listed ones; an expression may give anything, in any case and with blanks around it. */
export const toChoice = (value: unknown, param: Param): Choice => {
	if (param.options === undefined) return toText(value, param);
	const listed = listedIn(param);
	if (listed.values.has(value)) return value as Choice;
	const text = toText(value, param);
	const found = listed.byName.get(toKey(text));
	if (found !== undefined) return found;
	// The service may have more than is listed. It writes such names in upper case.
	return param.allowArbitraryValues === true
		? text.trim().toUpperCase()
		: rejectChoice(text, param, listed);
};

/** A number of a list: whether it is one of those the service knows, the contract says better than a list of 24. */
const toListedNumber = (value: unknown, param: Param): unknown =>
	(typeof value === 'string' ? listedIn(param).byName.get(toKey(value)) : undefined) ??
	toNumber(value, param);

const toList = (value: unknown): unknown[] => {
	if (Array.isArray(value)) return value as unknown[];
	// An expression may give "MTS, TELE2" where the screen gives a list.
	if (typeof value !== 'string') return [value];
	return value
		.split(',')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
};

export const toChoices = (value: unknown, param: Param): unknown[] =>
	toList(value).map((entry) =>
		param.validateType === 'number' ? toListedNumber(entry, param) : toChoice(entry, param),
	);
