import { html } from 'hono/html';
import { demo } from '../demo.cts';
import type { dialectOptions, Dialect } from '../api/dialect.cts';
import type { World } from '../stored/world.cts';
import type { Html } from './parts.cts';

/** The response variants: for each setting its name, and each of its options in words. */

type Options = typeof dialectOptions;
type VariantLabels = {
	readonly [Name in keyof Options]: {
		readonly label: string;
		readonly options: Readonly<Record<Options[Name][number], string>>;
	};
};

const usual = 'Usual';
const emptyObject = 'Empty object';
const emptyArray = 'Empty list';
const errorBody = 'An error, although it was processed';
const noContent = 'No body, status 204';

const createOptions: VariantLabels['createReply']['options'] = {
	contract: usual,
	emptyObject,
	emptyArray,
	errorBody,
	noId: 'No dispatch ID',
	otherId: 'The ID of another dispatch',
	textId: 'The ID as text',
	noMessages: 'No messages',
	noCounts: 'No counts',
	snake: 'Field names with underscores',
	wrapped: 'Inside "data"',
	noContent,
};

export const variantLabels: VariantLabels = {
	sendReply: {
		label: 'Send Messages',
		options: {
			items: usual,
			array: 'List without an envelope',
			single: 'Only the first message',
			messages: 'List named "messages"',
			data: 'List named "data"',
			snake: 'Field names with underscores',
			uuid: 'Only a UUID per message',
			idsOnly: 'No result codes',
			noIds: 'No custom message IDs',
			reversed: 'In reverse order',
			fewer: 'The first message is missing',
			emptyObject,
			emptyArray,
			empty202: 'No body, status 202',
			noContent,
			text: 'The text "OK"',
			errorBody,
			errorsTrue: 'Only "errors": true',
		},
	},
	listEnvelope: {
		label: 'Lists',
		options: {
			items: usual,
			array: 'List without an envelope',
			data: 'List named "data"',
			results: 'List named "results"',
			noTotal: 'No total',
			totalAsText: 'The total as text',
			emptyObject,
			itemsNull: '"items" is null',
			errorBody: 'An error with status 200',
			emptyWithTotal: 'A total, but no entries',
			twoLists: 'Two lists, one incomplete',
		},
	},
	keyCase: {
		label: 'Field Names',
		options: { camel: usual, snake: 'With underscores', pascal: 'With a capital' },
	},
	ownIds: {
		label: 'Custom Message IDs',
		options: { kept: usual, hidden: 'Not shown, but found', lost: 'Neither shown nor found' },
	},
	repeatedFilters: {
		label: 'Repeated Filters',
		options: {
			any: 'Match any of the values',
			first: 'Match the first value',
			last: 'Match the last value',
			refuse: 'Rejected, status 400',
			ignored: 'Ignored: lists everything',
			none: 'Match nothing',
		},
	},
	repeatedSingles: {
		label: 'Repeated Single Filters',
		options: { refuse: 'Rejected, status 400', last: 'Match the last value' },
	},
	createReply: { label: 'Create Dispatch', options: createOptions },
	appendReply: { label: 'Add Recipients', options: createOptions },
	moveReply: {
		label: 'Start and Stop',
		options: {
			contract: usual,
			emptyObject,
			stillCreated: 'Status still CREATED',
			noStatus: 'No status',
			noContent,
			errorBody,
		},
	},
	priceEstimate: {
		label: 'Price Estimate',
		options: {
			number: usual,
			missing: 'Missing',
			null: 'Null',
			commaText: 'Text with a comma',
			text: 'Text with a point',
			object: 'Amount and currency',
			nan: 'The text "NaN"',
		},
	},
	charges: { label: 'Price Per', options: { message: 'Message', part: 'Part of a message' } },
};

/** The settings without a fixed set of options. Only the control route changes them. */
export const otherVariants: Readonly<Record<Exclude<keyof Dialect, keyof Options>, string>> = {
	indexLagMs:
		"How long new messages and dispatches are missing from lists, in the sandbox's milliseconds (by default 0)",
	pageSize:
		'The largest page: `{"most": 40, "mode": "cut"}`. In the other mode, larger ones are rejected with status 400.',
	emptyReplies: 'Endpoints that respond with 204 and no body: `["PUT /recipients"]`',
	successStatus:
		'The status of every successful JSON response: null, or 200 to 299 except 204 and 205',
};

export const variantsView = ({ store: { settings } }: World): Html => {
	const chosen: Record<string, unknown> = settings.dialect;
	return html`<form
		class="card"
		id="variants"
		data-control="PUT ${demo.controlPath}/variants"
		data-done="Response variants applied."
	>
		<h3>Another response format</h3>
		<p class="soft">
			The service's real formats aren't known. Choose others to see how your workflow reacts. Some
			make the node stop on purpose.
		</p>
		<div class="fields">
			${Object.entries(variantLabels).map(
				([name, { label, options }]) =>
					html`<div class="field">
						<label for="variant-${name}">${label}</label>
						<select name="${name}" id="variant-${name}">
							${Object.entries(options).map(
								([option, words]) =>
									html`<option value="${option}" ${chosen[name] === option ? 'selected' : ''}>
										${words}
									</option>`,
							)}
						</select>
					</div>`,
			)}
		</div>
		<button class="main">Apply</button>
	</form>`;
};
