import type { Param } from '../../../../core/engine/params';
import { trafficTypeOptions } from '../../../shared/trafficTypes';

/** Filters of the tariffs, as the service has them. */
const senderTypeOptions = [
	{ name: 'Common', value: 'COMMON', description: 'General name, usable without registration' },
	{ name: 'Pro', value: 'PRO', description: 'Paid name, price depends on volume or audience' },
	{ name: 'Start', value: 'START', description: 'Registered name, fixed price or audience' },
] as const;

const pricingModelOptions = [
	{ name: 'Fixed', value: 'FIXED', description: 'The same price for any number of messages' },
	{
		name: 'Monthly Audience (MAU)',
		value: 'MAU',
		description: 'By the number of different recipients',
	},
	{ name: 'Scaled', value: 'SCALED', description: 'By the number of messages' },
] as const;

export const tariffFilters = [
	{
		displayName: 'Kind of Sender Name',
		name: 'senderType',
		type: 'options',
		options: senderTypeOptions,
		default: 'COMMON',
	},
	{
		displayName: 'Kind of Traffic',
		name: 'trafficType',
		type: 'options',
		options: trafficTypeOptions,
		default: 'PROMO',
	},
	{
		displayName: 'Operator',
		name: 'brand',
		type: 'string',
		default: '',
		placeholder: 'e.g. MTS',
	},
	{
		displayName: 'Pricing Model',
		name: 'pricingModel',
		type: 'options',
		options: pricingModelOptions,
		default: 'FIXED',
	},
] as const satisfies readonly Param[];
