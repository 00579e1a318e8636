/** Everything a demo or a test can rely on after a reset: URLs, credentials, seeded ids, magic numbers. */
export const demo = {
	host: '127.0.0.1',
	port: 8787,
	partnerPath: '/partner',
	messagingPath: '/api/v1',
	controlPath: '/_sandbox',
	shortLinkPath: '/s',
	login: 'demo@partner.example',
	password: 'demo-password',
	apiKey: 'demo-api-key',
	messagesOnlyKey: 'demo-messages-only-key',
	verifierKey: 'demo-verifier-key',
	companies: {
		flowers: 101,
		travel: 102,
		bakery: 103,
	},
	senders: {
		mts: 2001,
		beeline: 2002,
		megafon: 2003,
		tele2: 2004,
		viber: 2005,
		whatsapp: 2006,
		draft: 2007,
		inReview: 2008,
		rejected: 2009,
		closed: 2010,
		suspended: 2011,
		travelMts: 2012,
		bakeryMts: 2013,
		bakeryTele2: 2014,
		general: 2015,
	},
	senderNames: {
		sms: 'FLOWERS',
		viber: 'FlowersViber',
		whatsapp: 'FlowersWA',
		general: 'INFO',
	},
	dispatches: {
		spring: 3001,
		reminder: 3002,
	},
	templates: {
		inReview: 512,
		whatsapp: 513,
		closed: 514,
	},
	numbers: {
		mts: '79161234567',
		beeline: '79031234567',
		megafon: '79261234567',
		tele2: '79011234567',
		undelivered: '79169990001',
		unsent: '79169990002',
		slow: '79169990003',
		unread: '79169990004',
		smsOnly: '79169990005',
		noOperator: '79701234567',
		/** The account owner's test number: it accepts an SMS from a sender name that isn't registered. */
		test: '79169990010',
	},
	authorizationTemplate: 'Camomile Flowers: {code} is your code',
};

/** The base URLs of both APIs, and the control URL, of a sandbox at `origin`. */
export const urlsOf = (origin: string) => ({
	origin,
	partnerUrl: `${origin}${demo.partnerPath}`,
	messagingUrl: `${origin}${demo.messagingPath}`,
	controlUrl: `${origin}${demo.controlPath}`,
});
