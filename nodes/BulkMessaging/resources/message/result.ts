import type { IDataObject } from 'n8n-workflow';

/** Without the fields that have no value. A loop, because this runs for every message. */
export const onlyGiven = (fields: Record<string, IDataObject[string]>): IDataObject => {
	const given: IDataObject = {};
	for (const name of Object.keys(fields)) {
		if (fields[name] !== undefined) given[name] = fields[name];
	}
	return given;
};

/** The item of a message: who and what became of it first, IDs last. */
export const toResult = (
	{
		destination,
		outcome,
		reason,
		reasonCode,
		...ids
	}: Readonly<Record<string, string | undefined>>,
	shown: IDataObject,
): IDataObject => onlyGiven({ destination, outcome, reason, reasonCode, ...shown, ...ids });
