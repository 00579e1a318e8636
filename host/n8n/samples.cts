// @ts-check
'use strict';

const { readFileSync, readdirSync } = require('node:fs');
const path = require('node:path');
const { fingerprint, projectFolder } = require('../process/places.cjs');
const { contentOf } = require('./session.cjs');

/** @typedef {import('./session.cjs').Workflow} Workflow */

/**
 * The sample workflows, in the order of their numbers.
 * @returns {Array<{file: string, workflow: Workflow}>}
 */
function readSamples() {
	const folder = path.join(projectFolder, 'workflows');
	return readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.sort()
		.map((name) => ({
			file: name,
			workflow: JSON.parse(readFileSync(path.join(folder, name), 'utf8')),
		}));
}

/**
 * Two workflows with the same one are the same to a person.
 * @param {Workflow} workflow
 */
function contentFingerprint(workflow) {
	return fingerprint(JSON.stringify(contentOf(workflow)));
}

const isManual = (/** @type {string} */ type) => type.endsWith('.manualTrigger');
const isTrigger = (/** @type {string} */ type) => /(trigger|\.webhook)$/i.test(type);

/**
 * The node a run starts from: a manual start when there is one.
 * @param {Workflow} workflow
 */
function startNode({ nodes }) {
	const triggers = nodes.filter(({ type, disabled }) => isTrigger(type) && !disabled);
	return triggers.find(({ type }) => isManual(type)) ?? triggers[0];
}

/**
 * The service calls it, so it must be active. What a schedule or somebody else's system starts is published by the
 * person who fills it in.
 * @param {Workflow} workflow
 */
function needsPublishing({ nodes }) {
	return nodes.some(({ type }) => type.endsWith('.bulkMessagingTrigger'));
}

module.exports = { contentFingerprint, needsPublishing, readSamples, startNode };
