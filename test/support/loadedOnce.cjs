// @ts-check
'use strict';

/** Instead of a module of its own for each test file, jest gets the one that Node has loaded for the whole process. */
module.exports = {
	/**
	 * @param {string} _source
	 * @param {string} file
	 */
	process: (_source, file) => ({ code: `module.exports = loadOnce(${JSON.stringify(file)});` }),
	/**
	 * @param {string} _source
	 * @param {string} file
	 */
	getCacheKey: (_source, file) => `loaded-once-${Buffer.from(file).toString('hex')}`,
};
