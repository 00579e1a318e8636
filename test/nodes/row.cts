import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/sandbox.cts';
import { linksOf, type Bench, type Wire } from '../support/sandbox.cts';

/** How the service is made to refuse the second of three items, and what the user then reads. */
export interface Refused {
	/** What differs from the plain parameters, as expressions on the items. */
	parameters?: INodeParameters;
	items?: [IDataObject, IDataObject, IDataObject];
	/** For calls that no id can make fail: the address whose second request is answered with 4000. */
	fault?: { method: string; path: string };
	/** How many requests of the item are answered so; one when it is left out. */
	times?: number;
	message: string;
	/** Where the items travel together, the error of all three says more than that of the one. */
	ofThree?: string;
	/** The change can be repeated: an item that the service rejects doesn't stop the others. */
	carriesOn?: true;
	/** The HTTP status, where the service refused the whole request. */
	httpCode?: string;
	/** What the description says; by default it quotes the service. */
	says?: string;
}

/** One operation of the registry: what a plain use sends and does. */
export interface Row {
	/** `resource.operation`, as workflows store them. */
	operation: string;
	title: string;
	seed?: (sandbox: Sandbox) => Promise<unknown> | unknown;
	parameters: INodeParameters;
	input?: INodeExecutionData;
	/** Every request behind the log-in, exactly. A made-up value is matched by its form. */
	wire: Wire[];
	/** The json of the items that leave the node. */
	output: (json: IDataObject[]) => void;
	/** What the service holds afterwards; a row that only reads leaves it out and must change nothing. */
	state?: (service: Pick<Bench, 'store'>) => void;
	/** Once per operation. */
	refused?: Refused;
}

const request =
	(method: string) =>
	(path: string, body?: unknown): Wire => ({ method, path, ...(body !== undefined && { body }) });
export const post = request('POST');
export const put = request('PUT');
/** Its query in the order of the names, each with one value. */
export const get = (path: string, query?: Record<string, string | number>): Wire => ({
	method: 'GET',
	path,
	...(query && { query: Object.entries(query).map(([name, value]) => [name, String(value)]) }),
});

export const notFound = { message: "The service didn't find the requested entry", httpCode: '404' };
export const invalid = { message: 'The service rejected the request as invalid', httpCode: '400' };

/** A locator by ID whose value is an expression on the item. */
export const fromItem = (field = 'id'): INodeParameters => ({
	__rl: true,
	mode: 'id',
	value: `={{ $json.${field} }}`,
});

/** Every input item that output items are linked to; one that comes from several items counts for each. */
export const linkedItems = (items: readonly INodeExecutionData[]): unknown[] =>
	linksOf(items).flatMap((link) =>
		Array.isArray(link) ? link.map(({ item }: { item: number }) => item) : [link],
	);
