/** Filters of the tariffs, as the service has them. */
export const senderTypeOptions = [
	{ name: 'Common', value: 'COMMON', description: 'General name, usable without registration' },
	{ name: 'Pro', value: 'PRO', description: 'Paid name, price depends on volume or audience' },
	{ name: 'Start', value: 'START', description: 'Registered name, fixed price or audience' },
] as const;

export const trafficTypeOptions = [
	{ name: 'Authorization', value: 'AUTHORIZE', description: 'Codes for logging in' },
	{ name: 'Promotional', value: 'PROMO', description: 'Advertising' },
	{ name: 'Service', value: 'SERVICE', description: 'Information a customer expects' },
	{ name: 'Transactional', value: 'TRANSACT', description: 'Orders, payments, deliveries' },
] as const;

export const pricingModelOptions = [
	{ name: 'Fixed', value: 'FIXED', description: 'The same price for any number of messages' },
	{
		name: 'Monthly Audience (MAU)',
		value: 'MAU',
		description: 'By the number of different recipients',
	},
	{ name: 'Scaled', value: 'SCALED', description: 'By the number of messages' },
] as const;
