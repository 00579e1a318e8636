// @ts-check
'use strict';

const { createServer } = require('node:net');

/**
 * @param {number} port 0: any
 * @returns {Promise<number | undefined>} the port, undefined when it cannot be had
 */
function tryPort(port) {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(undefined));
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
			const address = server.address();
			const taken = address !== null && typeof address === 'object' ? address.port : undefined;
			server.close(() => resolve(taken));
		});
	});
}

/** @param {number} port */
async function isFree(port) {
	return (await tryPort(port)) !== undefined;
}

async function freePort() {
	const port = await tryPort(0);
	if (port === undefined) throw new Error('No port is free on 127.0.0.1.');
	return port;
}

module.exports = { freePort, isFree };
