/** Dropdowns of the service's enumerations, in plain words. */
export const brandOptions = [
	{ name: 'Beeline', value: 'BEELINE' },
	{ name: 'MegaFon', value: 'MEGAFON' },
	{ name: 'MTS', value: 'MTS' },
	{ name: 'Tele2', value: 'TELE2' },
] as const;

export const commonTypeOptions = [
	{ name: 'Common', value: 'COMMON', description: 'Ordinary messages' },
	{
		name: 'International, Common',
		value: 'INTERNATIONAL_COMMON',
		description: 'Ordinary messages of a company from abroad',
	},
	{
		name: 'International, Verification',
		value: 'INTERNATIONAL_VERIFY',
		description: 'Verification codes of a company from abroad',
	},
	{ name: 'Multi-Signature', value: 'MULTISIGNATURE', description: 'One contract, several names' },
	{ name: 'Promotional', value: 'PROMO', description: 'Advertising' },
] as const;

export const senderStatusOptions = [
	{ name: 'Approved', value: 'APPROVED', description: 'Can be used' },
	{ name: 'Awaiting', value: 'AWAITING', description: 'Waiting for activation' },
	{ name: 'Closed', value: 'CLOSED' },
	{ name: 'Denied', value: 'DENIED', description: 'Forbidden' },
	{ name: 'Draft', value: 'DRAFT', description: 'Just created' },
	{ name: 'External Review', value: 'EXTERNAL_REVIEW', description: 'The operator looks at it' },
	{ name: 'Internal Review', value: 'INTERNAL_REVIEW', description: 'The service looks at it' },
	{ name: 'Preliminary Review', value: 'PRE_REVIEW' },
	{ name: 'Rejected', value: 'REJECTED' },
] as const;

export const dispatchStatusOptions = [
	{ name: 'Completed', value: 'COMPLETED', description: 'Nothing is pending any more' },
	{
		name: 'Created',
		value: 'CREATED',
		description: 'Not started yet: messages can still be added',
	},
	{ name: 'Started', value: 'STARTED', description: 'Being sent' },
	{ name: 'Stopped', value: 'STOPPED' },
] as const;

export const messageStatusOptions = [
	{ name: 'Created', value: 'CREATED', description: 'Not sent yet' },
	{ name: 'Delivered', value: 'DELIVERED' },
	{ name: 'Failed', value: 'FAILED', description: 'Delivery error' },
	{ name: 'Sent', value: 'SENT', description: 'Handed to the operator' },
] as const;
