export const trafficTypeOptions = [
	{ name: 'Authorization', value: 'AUTHORIZE', description: 'Login codes' },
	{ name: 'Promotional', value: 'PROMO', description: 'Advertising' },
	{ name: 'Service', value: 'SERVICE', description: 'Information a customer expects' },
	{ name: 'Transactional', value: 'TRANSACT', description: 'Orders, payments, deliveries' },
] as const;
