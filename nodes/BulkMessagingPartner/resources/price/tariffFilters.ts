import type { Param } from '../../../../core/engine/params';
import { trafficTypeOptions } from '../../../shared/trafficTypes';

const senderTypeOptions = [
	{ name: 'Common', value: 'COMMON', description: 'General name that needs no registration' },
	{ name: 'Pro', value: 'PRO', description: 'Paid name. The price depends on volume or audience.' },
	{
		name: 'Start',
		value: 'START',
		description: 'Registered name. The price is fixed or depends on audience.',
	},
] as const;

const pricingModelOptions = [
	{ name: 'Fixed', value: 'FIXED', description: 'The same price for any number of messages' },
	{
		name: 'Monthly Audience (MAU)',
		value: 'MAU',
		description: 'The price depends on the number of different recipients',
	},
	{ name: 'Scaled', value: 'SCALED', description: 'The price depends on the number of messages' },
] as const;

export const tariffFilters = [
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
	{
		displayName: 'Sender Type',
		name: 'senderType',
		type: 'options',
		options: senderTypeOptions,
		default: 'COMMON',
	},
	{
		displayName: 'Traffic Type',
		name: 'trafficType',
		type: 'options',
		options: trafficTypeOptions,
		default: 'PROMO',
	},
] as const satisfies readonly Param[];
