import { limited, oneOf, openSet, string } from './support.cts';

/* The sets of values that several tables of the service's interface specification share. */

/** "SMS, VIBER, WHATSAPP, VK, TELEGRAM and others", with those the revision history names. */
export const channelType = openSet(
	'SMS',
	'VIBER',
	'WHATSAPP',
	'VK',
	'TELEGRAM',
	'FLASHCALL',
	'VOICECODE',
	'TEXT_TO_SPEECH',
	'WEASY',
	'PUSH',
);
export const trafficTypes = ['PROMO', 'SERVICE', 'TRANSACT', 'AUTHORIZE'];
export const dispatchStatus = oneOf('CREATED', 'STARTED', 'STOPPED', 'COMPLETED');
export const messageStatus = oneOf('CREATED', 'SENT', 'DELIVERED', 'FAILED');

/** "phone number in digits, country code first" */
export const destination = limited(string, {
	inside: ['79123456789', '375291234567', '12025550123'],
	outside: ['+79123456789', '8 (912) 345-67-89', '7912345678a', ''],
});
/** "conforms to RFC 3986: http or https", may carry login and password, an IP address and a port */
export const callbackUrl = limited(string, {
	inside: [
		'https://example.com/status',
		'http://example.com/status?source=service',
		'https://login:password@example.com/status',
		'http://203.0.113.7:8080/status',
	],
	outside: ['ftp://example.com/status', 'example.com/status', '/status', ''],
});
/** "allowed hours, 0 to 23" */
export const hour = { inside: [0, 12, 23], outside: [-1, 24] };
/** "allowed weekdays, 1 (Monday) to 7 (Sunday)" */
export const weekday = { inside: [1, 4, 7], outside: [0, 8] };
