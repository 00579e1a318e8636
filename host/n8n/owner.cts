// @ts-check
'use strict';

const path = require('node:path');

/** The one user of a demo or test n8n. It listens on 127.0.0.1 only, so this is a convenience and no secret. */
const owner = {
	email: 'demo@example.com',
	firstName: 'Demo',
	lastName: 'Owner',
	password: 'Sandbox-2026',
};

/** @type {Map<string, string>} */
const hashes = new Map();

/**
 * n8n takes its owner from the environment and wants the password hashed; its own bcrypt does that.
 * @param {string} host the folder of the installed n8n
 */
function passwordHash(host) {
	const known = hashes.get(host);
	if (known !== undefined) return known;
	const bcrypt = require(path.join(host, 'node_modules', 'bcryptjs'));
	/** @type {string} */
	const hash = bcrypt.hashSync(owner.password, 10);
	hashes.set(host, hash);
	return hash;
}

module.exports = { owner, passwordHash };
