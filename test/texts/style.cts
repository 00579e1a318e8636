/** A pattern that readers stumble over, and what to write instead. */
export interface Rule {
	pattern: RegExp;
	instead: string;
	/** Wordings that match and are right. They are removed from the text before the pattern is tried. */
	except?: RegExp;
}

/** For everything that people read: nodes, errors, docs, sample workflows, demo and sandbox, and comments. */
export const everywhere: Rule[] = [
	{ pattern: /\brefus(?:e|es|ed|ing|al|als)\b/i, instead: 'rejected' },
	{ pattern: /\bsubscribers?\b/i, instead: 'recipient' },
	{
		pattern: /\bkinds? of (?:traffic|messages?|sender)/i,
		instead: 'traffic type, message type, sender type',
	},
	{ pattern: /\b(?:go|goes|going|went|gone) on\b/i, instead: 'continue' },
	{ pattern: /\bcabinet\b/i, instead: "your account on the provider's website" },
	{
		pattern: /\b(?:whoever|somebody|anybody)\b/i,
		instead: 'the caller, a person, anyone: name who',
	},
	{ pattern: /\b[Oo]wn (?:[Mm]essage )?IDs?\b/, instead: 'custom message ID' },
	{
		pattern: /\b(?:is|are|was|were) no\b/i,
		except: /\b(?:there (?:is|are|was|were) no|(?:is|are|was|were) no (?:longer|more than))\b/gi,
		instead: "isn't a",
	},
	{ pattern: /\b(?:is|are) that of\b|\bare those of\b/i, instead: 'belongs to' },
	{ pattern: /\bbears? (?:a|the|it)\b/i, instead: 'tolerate' },
	{ pattern: /\bsettles?\b|\bsettled\b/i, instead: 'resolve' },
	{ pattern: /\bsoftly\b/i, instead: 'without failing' },
	{ pattern: /\bfaults? of its own\b/i, instead: "something went wrong on the service's side" },
	{ pattern: /\bput in order\b/i, instead: 'normalized' },
	{
		pattern:
			/\b(?:cancell(?:ed|ing)|\w*(?:colour|favour|behaviour)\w*|(?:un)?(?:recogni|normali|authori|organi|summari|initiali|minimi|maximi)s(?:e|es|ed|ing|ation)|centre|catalogue|licence)\b/i,
		instead: 'American spelling',
	},
	{
		// Two verbs: "What fails is sent again". With one verb it is a label: "What is known about a call".
		pattern:
			/(?:^|[.!?:]\s+)(?:Who|What) (?:\w+ ){0,4}?(?:is|are|was|were|has|fails|comes|follows|cannot|can't)\b[^.!?,;:]*\b(?:is|are|was|were|has|have|stays|starts|gets|counts|needs|must|does)\b(?![^.]*\?)/,
		instead: 'a sentence that names its subject',
	},
	{ pattern: /\bCustom API Call\b/, instead: 'API Request (Custom API Call is n8n’s own option)' },
	{ pattern: /\brather \w+ than never\b/i, instead: 'the plain fact' },
];

/** For what users read: the words of the service in one form each. */
export const forUsers: Rule[] = [
	{
		pattern: /\baddress(?:es)?\b/i,
		// The second line: a company's postal address, and the service's own words.
		except: /\b(?:IP|email|street) address(?:es)?\b|\b(?:legal|actual) address\b|name, address/gi,
		instead: 'URL',
	},
	{
		pattern: /\b(?:answer(?:s|ed|ing)?)\b/i,
		instead: 'response (of the service), reply (of a recipient)',
	},
	{ pattern: /\b(?:told|taken)\b/i, instead: 'reported, accepted' },
	{ pattern: /\bholds?\b/i, instead: 'contains' },
	{
		pattern: /\bsubstitutions?\b/,
		// The field of the JSON.
		except: /"substitutions"/g,
		instead: 'placeholder values',
	},
	{ pattern: /\b(?:VIBER|WHATSAPP|TELEGRAM)\b/, instead: 'Viber, WhatsApp, Telegram' },
	{ pattern: /\b(?:did not|didn't|does not|doesn't) accept\b/i, instead: 'rejected' },
	{ pattern: /\banew\b/i, instead: 'again' },
];
