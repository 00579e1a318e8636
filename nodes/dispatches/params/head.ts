import type { IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import { UnfitValueError, valueRequired } from '../../../core/engine/errors';
import { addHintOnce } from '../../../core/engine/hints';
import type { Param, ValueOf } from '../../../core/engine/params';
import { checkRequest } from '../../../core/transport/send';
import { companyId } from '../../shared/locators';
import { additionalFields, replacedIn, toAdditional } from '../../shared/additionalFields';
import { checkCallback, defaultEvents, wantedCallbackUrl } from '../../shared/callback';
import { channelType } from '../../shared/channels';
import { placeholderHelp } from '../../shared/placeholders';
import type { HeadKind, HeadOf } from '../plan/plan';
import { priceParam } from './limits';
import { createOptions, dispatchSendOptions } from './options';
import { outputParam } from './recipientOptions';
import { whomParams } from './recipients';

const nameParam = {
	displayName: 'Dispatch Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Spring sale, Moscow',
	description:
		"Nobody gets the same text twice under one name. Default: the workflow's name, for 20 hours.",
} as const satisfies Param;

const textParam = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	required: true,
	placeholder: 'e.g. Hello {name}, your discount is {discount}%',
	description: placeholderHelp,
} as const satisfies Param;

/** Parameters of a dispatch as a whole: they are read from its first item. */
const headParams = [companyId, channelType, nameParam, createOptions] as const;

export type HeadValues = HeadOf<typeof headParams>;

/** The parameters everyone needs: they are visible without scrolling. */
export const firstParams = [companyId, channelType, ...whomParams, textParam] as const;

export const createParams = [...firstParams, nameParam, outputParam, createOptions] as const;

const waitParam = {
	displayName: 'Wait Until Delivered',
	name: 'waitUntilDelivered',
	type: 'boolean',
	default: false,
	description:
		'Whether to wait until every message is delivered or has failed, for up to an hour by default',
} as const satisfies Param;

export const previewParams = [
	...firstParams,
	priceParam,
	nameParam,
	outputParam,
	dispatchSendOptions,
] as const;

/** After the mode. */
export const sendParams = [
	priceParam,
	nameParam,
	waitParam,
	outputParam,
	dispatchSendOptions,
] as const;

type DispatchOptions = ValueOf<typeof createOptions>;

/** An incomplete schedule is an error, because it would send at unintended times. */
const toSchedule = ({ when }: NonNullable<DispatchOptions['schedule']>) => {
	if (when === undefined) return undefined;
	const { startAt, hours, days } = when;
	if (startAt !== undefined) return { startAt, hours, days };
	throw new UnfitValueError('Start At', `${valueRequired} in a schedule`);
};

/** Fields that decide what is sent to whom. They have one place on the screen, so that every check sees them. */
const ownFields = {
	companyId: 'Company',
	name: 'Dispatch Name',
	channelType: 'Channel',
	senderIds: 'Sender Names or IDs',
	text: 'Text',
	messages: 'Recipients',
};

/** Converts the parameters to request fields. */
const toDispatchOptions = ({
	additionalFields: given,
	callbackEvents: events,
	schedule: when,
	callbackUrl: address,
	callbackAuthentication: authentication,
}: DispatchOptions) => {
	const callback = { callbackUrl: address, callbackAuthentication: authentication };
	const added = toAdditional(given);
	for (const [name, field] of Object.entries(ownFields)) {
		if (!Object.hasOwn(added, name)) continue;
		throw new UnfitValueError(
			additionalFields.displayName,
			`can't replace ${name}. Use '${field}' instead`,
		);
	}
	const url = wantedCallbackUrl(callback, added);
	const wire = {
		schedule: when && toSchedule(when),
		callbackUrl: url,
		// The published interface doesn't say which events are reported without this field.
		callbackEvents: url === undefined ? undefined : (events ?? defaultEvents),
	};
	return { wire, additional: added };
};

/** The request without its senders and recipients, checked against the contract. Recipients are checked one by one. */
export const toDraft = ({
	companyId: company,
	name,
	channelType: channel,
	text,
	options,
}: HeadValues) => {
	const { wire, additional } = toDispatchOptions(options);
	// Empty: the workflow's name, which is known only in a run.
	const own = { companyId: company, name: name || '-', channelType: channel, text, ...wire };
	const draft = { ...own, ...additional, callbackUrl: wire.callbackUrl };
	const { senderIds = [1] } = options;
	checkRequest(partner.dispatchCreate, { body: { ...draft, senderIds, messages: [] } });
	return { draft, remarks: replacedIn(additional, { ...own, senderIds }) };
};

/** Checks the dispatch as a whole. A start in the past is allowed, with a hint. */
const checkHead = (head: HeadValues, context: IExecuteFunctions) => {
	const { draft } = toDraft(head);
	const startAt = head.options.schedule?.when?.startAt;
	if (startAt !== undefined && Date.parse(startAt) < Date.now()) {
		addHintOnce(context, "'Start At' is in the past. The service may send at once.");
	}
	return draft;
};

export const newDispatch: HeadKind<typeof headParams> = {
	identity: [companyId, channelType, nameParam],
	params: headParams,
	text: textParam,
	hasOtherText: false,
	check: checkHead,
};

/** The same, for operations that create the dispatch: also checks that the receiver wouldn't reject every callback. */
export const reportedDispatch: HeadKind<typeof headParams> = {
	...newDispatch,
	check: (head, context) => {
		const { callbackUrl } = checkHead(head, context);
		checkCallback(context, callbackUrl, head.options.callbackAuthentication);
	},
};

/** Limits belong to the dispatch as a whole, so they are read from its first item. */
const startParams = [
	companyId,
	channelType,
	nameParam,
	priceParam,
	waitParam,
	dispatchSendOptions,
] as const;

export type StartValues = HeadOf<typeof startParams>;

export const startedDispatch: HeadKind<typeof startParams> = {
	...reportedDispatch,
	params: startParams,
};
