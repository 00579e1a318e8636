/** Labels for the values that the service defines. */
export const senderStatusOptions = [
	{ name: 'Approved', value: 'APPROVED', description: 'Can be used' },
	{ name: 'Awaiting', value: 'AWAITING', description: 'Waiting for activation' },
	{ name: 'Closed', value: 'CLOSED' },
	{ name: 'Denied', value: 'DENIED', description: 'Forbidden' },
	{ name: 'Draft', value: 'DRAFT', description: 'Just created' },
	{
		name: 'External Review',
		value: 'EXTERNAL_REVIEW',
		description: 'The operator is reviewing it',
	},
	{ name: 'Internal Review', value: 'INTERNAL_REVIEW', description: 'The service is reviewing it' },
	{ name: 'Preliminary Review', value: 'PRE_REVIEW' },
	{ name: 'Rejected', value: 'REJECTED' },
] as const;

export const dispatchStatusOptions = [
	{ name: 'Completed', value: 'COMPLETED', description: 'No messages are pending' },
	{
		name: 'Created',
		value: 'CREATED',
		description: 'Not started yet, so you can still add messages',
	},
	{ name: 'Started', value: 'STARTED', description: 'Messages are being sent' },
	{ name: 'Stopped', value: 'STOPPED' },
] as const;

export const messageStatusOptions = [
	{ name: 'Created', value: 'CREATED', description: 'Not sent yet' },
	{ name: 'Delivered', value: 'DELIVERED' },
	{ name: 'Failed', value: 'FAILED', description: 'Delivery error' },
	{ name: 'Sent', value: 'SENT', description: 'Passed to the operator' },
] as const;
