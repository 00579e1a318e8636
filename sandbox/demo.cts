import values from './demo.json';

/** Everything a demo or a test may rely on after a reset: addresses, credentials, seeded ids, magic numbers. */
export const demo = values;

/** The two base URLs (and the control one) of a sandbox that answers at `origin`. */
export const urlsOf = (origin: string) => ({
	origin,
	partnerUrl: `${origin}${values.partnerPath}`,
	messagingUrl: `${origin}${values.messagingPath}`,
	controlUrl: `${origin}${values.controlPath}`,
});
