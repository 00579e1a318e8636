/** A pattern that readers stumble over, and what to write instead. */
export interface Rule {
	pattern: RegExp;
	/** A text that breaks the rule: it proves that the rule works. */
	example: string;
	instead: string;
	/** Wordings that match and are right. They are removed from the text before the pattern is tried. */
	except?: RegExp;
}

/** For everything that people read: nodes, errors, docs, sample workflows, demo and sandbox, and comments. */
export const everywhere: Rule[] = [
	{
		pattern: /\brefus(?:e|es|ed|ing|al|als)\b/i,
		example: 'The service refused the request',
		instead: 'rejected',
	},
	{ pattern: /\bsubscribers?\b/i, example: 'A subscriber wrote', instead: 'recipient' },
	{
		pattern: /\bkinds? of (?:traffic|messages?|sender)/i,
		example: 'Kind of Traffic',
		instead: 'traffic type, message type, sender type',
	},
	{
		pattern: /\b(?:go|goes|going|went|gone) on\b/i,
		example: 'The workflow goes on',
		instead: 'continue',
	},
	{
		pattern: /\bcabinet\b/i,
		example: 'Open the account cabinet',
		instead: "your account on the provider's website",
	},
	{
		pattern: /\b(?:whoever|somebody|anybody)\b/i,
		example: 'For whoever reads it',
		instead: 'the caller, a person, anyone: name who',
	},
	{
		pattern: /\b[Oo]wn (?:[Mm]essage )?IDs?\b/,
		example: 'Own Message ID',
		instead: 'custom message ID',
	},
	{
		pattern: /\b(?:is|are|was|were) no\b/i,
		example: 'This is no phone number',
		except: /\b(?:there (?:is|are|was|were) no|(?:is|are|was|were) no (?:longer|more than))\b/gi,
		instead: "isn't a",
	},
	{
		pattern: /\b(?:is|are) that of\b|\bare those of\b/i,
		example: 'The ID is that of a message',
		instead: 'belongs to',
	},
	{
		pattern: /\bbears? (?:a|the|it)\b/i,
		example: 'Workflows that bear a repetition',
		instead: 'tolerate',
	},
	{
		pattern: /\bsettles?\b|\bsettled\b/i,
		example: 'A lost response is settled',
		instead: 'resolve',
	},
	{ pattern: /\bsoftly\b/i, example: 'It fails softly', instead: 'without failing' },
	{
		pattern: /\bfaults? of its own\b/i,
		example: 'The service had a fault of its own',
		instead: "something went wrong on the service's side",
	},
	{ pattern: /\bput in order\b/i, example: 'Numbers are put in order', instead: 'normalized' },
	{
		pattern:
			/\b(?:cancell(?:ed|ing)|\w*(?:colour|favour|behaviour)\w*|(?:un)?(?:recogni|normali|authori|organi|summari|initiali|minimi|maximi)s(?:e|es|ed|ing|ation)|centre|catalogue|licence)\b/i,
		// The name of a stored parameter.
		except: /\bunrecognised(?= \}| ===)/g,
		example: 'The execution was cancelled',
		instead: 'American spelling',
	},
	{
		// Two verbs: "What fails is sent again". With one verb it is a label: "What is known about a call".
		pattern:
			/(?:^|[.!?:]\s+)(?:Who|What) (?:\w+ ){0,4}?(?:is|are|was|were|has|fails|comes|follows|cannot|can't)\b[^.!?,;:]*\b(?:is|are|was|were|has|have|stays|starts|gets|counts|needs|must|does)\b(?![^.]*\?)/,
		example: 'What fails is sent again',
		instead: 'a sentence that names its subject',
	},
	{
		pattern: /\brather \w+ than never\b/i,
		example: 'Rather twice than never',
		instead: 'the plain fact',
	},
];

/** For what users read: the words of the service in one form each. */
export const forUsers: Rule[] = [
	{
		pattern: /\baddress(?:es)?\b/i,
		example: 'The address of the service',
		// A company's postal address is one.
		except: /\b(?:IP|email|street) address(?:es)?\b|\b(?:legal|actual) address\b|name, address/gi,
		instead: 'URL',
	},
	{
		pattern: /\b(?:answer(?:s|ed|ing)?)\b/i,
		example: 'The service answered',
		instead: 'response (of the service), reply (of a recipient)',
	},
	{
		// A name that is in use is already taken.
		pattern: /\b(?:told|(?<!already )taken)\b/i,
		example: 'The message was taken',
		instead: 'reported, accepted',
	},
	{
		pattern: /\bholds?\b(?! deliveries)/i,
		example: 'The list holds no number',
		instead: 'contains',
	},
	{
		pattern: /\bsubstitutions?\b/,
		example: 'The substitutions of a recipient',
		// The field of the JSON.
		except: /"substitutions"/g,
		instead: 'placeholder values',
	},
	{
		pattern: /\b(?:VIBER|WHATSAPP|TELEGRAM)\b/,
		example: 'VIBER first, then SMS',
		except: /"\w+"/g,
		instead: 'Viber, WhatsApp, Telegram',
	},
	{
		pattern: /\b(?:did not|didn't|does not|doesn't) accept\b/i,
		example: 'The service did not accept the key',
		instead: 'rejected',
	},
	{
		pattern: /\bthis n8n\b/i,
		example: "The service can't reach this n8n",
		instead: 'your n8n instance',
	},
	{
		pattern: /\bis empty\. It is required\b/,
		example: "'Text' is empty. It is required",
		instead: 'is required',
	},
	{ pattern: /\banew\b/i, example: 'Enter it anew', instead: 'again' },
];
