// @ts-check
'use strict';

/**
 * Something a person can mend: its message is one sentence for them, so whoever catches it prints the message and
 * no stack trace.
 */
class Problem extends Error {
	/** @param {string} message */
	constructor(message) {
		super(message);
		this.name = 'Problem';
	}
}

module.exports = { Problem };
