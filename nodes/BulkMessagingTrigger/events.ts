/** What may start the workflow, in the order of the output branches. The values are the service's own. */
export const eventOptions = [
	{
		name: 'Delivery Result',
		value: 'delivered',
		description: 'A message was delivered, or it is certain that it will not be',
	},
	{
		name: 'Inbound Message',
		value: 'inbound_sent',
		description: 'A subscriber has written (WhatsApp, once the service has enabled it)',
	},
	{ name: 'Link Clicked', value: 'click', description: 'A short link in a message was followed' },
	{ name: 'Price Changed', value: 'price', description: 'The price of a message has changed' },
	{ name: 'Read', value: 'read', description: 'A message was read, or not within its lifetime' },
	{ name: 'Sent', value: 'sent', description: 'A message was handed to the operator' },
] as const;

export type EventValue = (typeof eventOptions)[number]['value'];
